// A cell of an array: its value on a fill, empty, or a ghost outside of the data.
#pragma once

#include "viz/scene/canvas.h"

namespace lockstep::viz {

// Filled, with a text in the middle where it fits at a size that can be read.
void valueCell(Canvas& canvas, const Rect& cell, Role fill, const std::string& text = {}, bool bold = false);
// Hatched: outside of the data. `used`: something happens there now.
void ghostCell(Canvas& canvas, const Rect& cell, bool used);
// A text on the ground's color, so that it reads on a hatch.
void textOnGround(Canvas& canvas, Point centre, const std::string& text, const TextStyle& style);
// How large a value may be written in a cell of this height.
f32 valueSize(f32 height);
// The largest size up to `most` at which the text fits the width; 0 if it would be under 9 pixels.
f32 fittingSize(const Canvas& canvas, const std::string& text, f32 width, TextStyle style, f32 most);

}  // namespace lockstep::viz
