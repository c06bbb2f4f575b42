// The stage of a warp that parts: a row for each stretch of instructions in the order in which they are
// issued, the lanes filled where they work and hollow where they wait, and what each way costs. Below it what
// its buffers hold.
#pragma once

#include "explain/inactive_lanes/divergence_facts.h"
#include "viz/view.h"

namespace lockstep::viz {

Scene buildDivergenceStage(const ViewInput& in, const explain::DivergenceFacts& facts);

}  // namespace lockstep::viz
