// The stage of a reduction: the shared array once a round, arcs from what is added to the sum.
#pragma once

#include "explain/sums/reduction_facts.h"
#include "viz/cursor/lookup.h"
#include "viz/view.h"

namespace lockstep::viz {

Scene buildReductionStage(const ViewInput& in, const explain::ReductionFacts& facts);

}  // namespace lockstep::viz
