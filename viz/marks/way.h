// The way of a value: what it has gone is a line, what is still to go is dots; dashed all along where nothing
// was read.
#pragma once

#include "viz/scene/canvas.h"

namespace lockstep::viz {

struct Way {
    Point from;  // straight from here to the curve's first point
    Curve curve;
    Role role;
    bool read = true;
    f32 travelled = 1;  // of the curve, 0..1
};
void draw(Canvas& canvas, const Way& way);

}  // namespace lockstep::viz
