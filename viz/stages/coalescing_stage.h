// The stage of a coalescing kernel: the warp's request at the cursor, or the next one, from its lanes to the
// bytes that the memory moves, and below it the buffer as a whole with what the block has touched.
#pragma once

#include "viz/view.h"

#include <optional>

namespace lockstep::viz {

// None where the warp makes no request to global memory.
std::optional<Scene> buildCoalescingStage(const ViewInput& in);

}  // namespace lockstep::viz
