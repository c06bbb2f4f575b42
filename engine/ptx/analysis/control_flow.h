// Basic blocks of a function, their successors, and where paths reconverge.
#pragma once

#include "ptx/module.h"

namespace lockstep::ptx {

// Control can run off the end of the body: the last instruction does not always exit, or a branch targets the
// end.
bool needsReturn(const Function& function, const Module& module);
// Number of predecessors of a block: branches, a previous block that falls through, and, for the first, the
// function's call.
u32 waysTo(const Function& function, u32 block);
// Fills function.blocks from the instructions [first, end), all labels resolved. In a kernel, early exits do
// not affect where paths reconverge.
void buildControlFlow(Function& function, const Module& module);

}  // namespace lockstep::ptx
