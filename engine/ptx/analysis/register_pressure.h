// A lower bound on a kernel's registers per thread, from its PTX: the maximum live at once. ptxas allocates
// registers itself (ptxas -v, cuobjdump report them); until that is known, this limits the resident blocks
// per SM for kernels with many live values.
#pragma once

#include "ptx/module.h"

namespace lockstep::ptx {

// In 32-bit registers. Values that are free to recompute are not counted: constants, addresses of variables,
// special registers and the kernel's parameters, which are in constant memory. Includes the functions that it
// calls.
u32 registersLiveAtOnce(const Module& module, const Function& entry);

}  // namespace lockstep::ptx
