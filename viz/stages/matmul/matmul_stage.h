// The stage of the matrix multiply.
#pragma once

#include "viz/stages/matmul/matmul_facts.h"
#include "viz/view.h"

namespace lockstep::viz {

Scene buildMatmulStage(const ViewInput& in, const MatmulFacts& facts);

}  // namespace lockstep::viz
