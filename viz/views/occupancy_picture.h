// How full one multiprocessor is with the blocks of a launch, what keeps more of them away, and the waves in
// which the grid runs.
#pragma once

#include "model/occupancy/occupancy_limits.h"
#include "viz/scene/canvas.h"

#include <string_view>

namespace lockstep::viz {

inline constexpr f32 kOccupancyHeight = 168;

// registersFrom: who says what `needs` has of registers. Returns the height used; 0 where there is no room,
// or a block does not fit on the device.
f32 drawOccupancy(Canvas& canvas, const Rect& area, const model::BlockNeeds& needs,
                  std::string_view registersFrom, const model::Profile& profile, Language language);

}  // namespace lockstep::viz
