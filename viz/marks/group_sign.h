// The shape of a lane's cell, by the group of lanes that it goes with: told apart without color.
#pragma once

#include "viz/scene/canvas.h"

namespace lockstep::viz {

inline constexpr u32 kGroupSigns = 6;

// Within the square; a group beyond those that have a shape of their own is a square, too.
void groupSign(Canvas& canvas, const Rect& square, u32 group, Role fill);
// "A" of group 0.
inline std::string groupLetter(u32 group) { return std::string(1, char('A' + group)); }

}  // namespace lockstep::viz
