// A column of parts whose heights are known before drawing, so that the needed height can be compared with
// the available one.
#pragma once

#include "base/integers.h"

#include <functional>
#include <span>

namespace lockstep::app {

struct ColumnPart {
    f32 height = 0;
    std::function<void()> draw;  // at ImGui's cursor
    bool isClose = false;        // belongs to the part above, its title
};

// Height of all parts with a gap between each two.
f32 heightOf(std::span<const ColumnPart> parts, f32 gap);
// The widest gap, in whole pixels, with which they fit into `room`; negative if they do not fit without gaps.
f32 gapWithin(std::span<const ColumnPart> parts, f32 room);
// Draws from ImGui's cursor down.
void drawParts(std::span<const ColumnPart> parts, f32 gap);

}  // namespace lockstep::app
