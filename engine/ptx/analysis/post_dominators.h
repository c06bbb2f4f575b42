// Immediate post-dominators: where all paths from a block reconverge.
#pragma once

#include "ptx/module.h"

#include <vector>

namespace lockstep::ptx {

// Sets immediatePostDominator of every block. `leaves[b]`: the function may end in block b.
// An endless loop is treated as if its last back edge could also exit, so that branches within it reconverge.
void computePostDominators(std::vector<BasicBlock>& blocks, const std::vector<bool>& leaves);

}  // namespace lockstep::ptx
