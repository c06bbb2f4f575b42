// Immediate post-dominators: where all paths from a block meet again.
#pragma once

#include "ptx/module.h"

#include <vector>

namespace lockstep::ptx {

// Sets immediatePostDominator of every block. `leaves[b]`: the function may end in block b.
// A loop without an end is treated as if its last way back could also leave, so that branches within it meet.
void computePostDominators(std::vector<BasicBlock>& blocks, const std::vector<bool>& leaves);

}  // namespace lockstep::ptx
