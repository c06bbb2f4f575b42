// The sign of an atomic: a load's notch and a store's point at once.
#pragma once

#include "viz/scene/canvas.h"

namespace lockstep::viz {

inline void diamond(Canvas& canvas, Point c, Role role, f32 radius = 4) {
    canvas.polygon({{c.x, c.y - radius}, {c.x + radius, c.y}, {c.x, c.y + radius}, {c.x - radius, c.y}},
                   role);
}

}  // namespace lockstep::viz
