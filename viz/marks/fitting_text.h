// Words that have little room: said shorter or written smaller rather than cut.
#pragma once

#include "viz/scene/canvas.h"

#include <initializer_list>
#include <string>

namespace lockstep::viz {

// The first of these that fits; the last where none does.
std::string firstFitting(const Canvas& canvas, f32 room, const TextStyle& style,
                         std::initializer_list<std::string> texts);
// In the largest size of the type scale, up to the style's, in which the text fits; in the least where it
// fits in none.
TextStyle shrunkToFit(const Canvas& canvas, f32 room, TextStyle style, std::string_view text);

}  // namespace lockstep::viz
