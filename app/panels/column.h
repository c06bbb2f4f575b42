// A column of parts whose heights are known before any is drawn: what it needs can be compared with the room
// that it has.
#pragma once

#include "base/integers.h"

#include <functional>
#include <span>

namespace lockstep::app {

struct ColumnPart {
    f32 height = 0;
    std::function<void()> draw;  // at ImGui's cursor
    bool isClose = false;        // to the part above: what that is the title of
};

// Of the parts with a gap between each two.
f32 heightOf(std::span<const ColumnPart> parts, f32 gap);
// The widest gap, in whole pixels, with which they take no more than `room`; negative where they do not fit
// without any.
f32 gapWithin(std::span<const ColumnPart> parts, f32 room);
// From ImGui's cursor down.
void drawParts(std::span<const ColumnPart> parts, f32 gap);

}  // namespace lockstep::app
