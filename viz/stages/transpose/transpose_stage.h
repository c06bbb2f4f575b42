// The stage of a transpose: the two matrices side by side with the shared tile between them, all to one
// scale, and the registers of the cursor's warp below, through which every element passes. What the step
// moves is filled; where the same elements lie in the other places is outlined.
#pragma once

#include "explain/matrices/transpose_facts.h"
#include "viz/cursor/lookup.h"
#include "viz/view.h"

namespace lockstep::viz {

Scene buildTransposeStage(const ViewInput& in, const explain::TransposeFacts& facts);

}  // namespace lockstep::viz
