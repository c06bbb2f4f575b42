// Small signs: tick, cross, star, fork of a divergent branch, warning triangle.
#pragma once

#include "viz/scene/canvas.h"

namespace lockstep::viz {

void tick(Canvas& canvas, Point centre, Role role, f32 scale = 1);
void cross(Canvas& canvas, Point centre, Role role, f32 scale = 1);
void star(Canvas& canvas, Point centre, Role role, f32 radius = 5);  // the best of a list
void fork(Canvas& canvas, Point centre, Role role);
// A triangle with an exclamation mark: a finding.
void warning(Canvas& canvas, Point centre, f32 size = 16, Role fill = role(RoleKind::Finding));

}  // namespace lockstep::viz
