// A key whose entries stand one under another, in two columns where one has no room for all of them.
#pragma once

#include "viz/marks/frame.h"

#include <span>

namespace lockstep::viz {

// inBrief: the same entries in fewer words, for two columns. Returns the height used.
f32 keyInColumns(Canvas& canvas, const Rect& area, std::span<const KeyRow> rows,
                 std::span<const KeyRow> inBrief);

}  // namespace lockstep::viz
