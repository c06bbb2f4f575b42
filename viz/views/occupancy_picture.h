// How full one multiprocessor is with the blocks of a launch, what keeps more of them away, and the waves in which the grid runs.
#pragma once

#include "model/occupancy_limits.h"
#include "viz/canvas.h"

namespace lockstep::viz {

inline constexpr f32 kOccupancyHeight = 168;

// Returns the height used; 0 where there is no room, or a block does not fit on the device.
f32 drawOccupancy(Canvas& canvas, const Rect& area, const model::BlockNeeds& needs, const model::Profile& profile, Language language);

}  // namespace lockstep::viz
