// The stage of any kernel: its buffers and its shared memory as grids.
#pragma once

#include "viz/view.h"

namespace lockstep::viz {

Scene buildBufferStage(const ViewInput& in);

}  // namespace lockstep::viz
