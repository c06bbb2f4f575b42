// The variants of a family side by side, each as a small picture of the load that it is about: lanes above,
// the sectors that they reach below. The one that runs is framed, a click runs another.
#pragma once

#include "viz/scene/canvas.h"
#include "viz/view.h"

namespace lockstep::viz {

// Returns the height used: 0 where the run's family is not told by accesses, or there is no room for all of
// them.
f32 drawVariantRow(Canvas& canvas, const ViewInput& in, const Rect& area);

}  // namespace lockstep::viz
