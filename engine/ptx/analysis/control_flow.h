// Basic blocks of a function, where each leads, and where paths meet again.
#pragma once

#include "ptx/module.h"

namespace lockstep::ptx {

// Control can run off the end of the body: the last instruction does not always leave, or a branch leads
// behind it.
bool needsReturn(const Function& function, const Module& module);
// How many ways lead to a block: branches, the block before it that falls through, and the call of the
// function to its first.
u32 waysTo(const Function& function, u32 block);
// Fills function.blocks from the instructions [first, end), all labels resolved. In a kernel, paths meet
// where those do that do not leave early.
void buildControlFlow(Function& function, const Module& module);

}  // namespace lockstep::ptx
