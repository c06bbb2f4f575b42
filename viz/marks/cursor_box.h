// The white (on light grounds black) box of the one cursor, and chips in its color.
#pragma once

#include "viz/scene/canvas.h"

namespace lockstep::viz {

// Just outside of `inner`.
void cursorBox(Canvas& canvas, const Rect& inner, f32 radius = radius::kControl);

// A text on the cursor's color, `at` its left middle (or center, by style.align), with so much room beside
// it. Returns its width.
f32 cursorChip(Canvas& canvas, Point at, const std::string& text,
               TextStyle style = {.size = type::kCode, .bold = true}, f32 minWidth = 0, f32 height = 0,
               f32 beside = 6);
// The same on raised gray: a value that can be chosen.
f32 chip(Canvas& canvas, Point at, const std::string& text, TextStyle style = {.size = type::kCode});

}  // namespace lockstep::viz
