// The stage of the matrix multiply.
#pragma once

#include "explain/matrices/matmul_facts.h"
#include "viz/cursor/lookup.h"
#include "viz/view.h"

namespace lockstep::viz {

using explain::MatmulFacts;

Scene buildMatmulStage(const ViewInput& in, const MatmulFacts& facts);

}  // namespace lockstep::viz
