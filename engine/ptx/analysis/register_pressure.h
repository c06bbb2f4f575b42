// How many registers a thread of a kernel needs at least, as far as its PTX tells: what is live at once. The
// assembler gives registers itself (ptxas -v, cuobjdump say how many); until that is known, this says how
// many blocks fit on a multiprocessor where a kernel keeps many values.
#pragma once

#include "ptx/module.h"

namespace lockstep::ptx {

// Of 32 bits. Values that cost nothing to make again are not counted: constants, addresses of variables,
// special registers and the kernel's parameters, which lie in constant memory. With the functions that it
// calls.
u32 registersLiveAtOnce(const Module& module, const Function& entry);

}  // namespace lockstep::ptx
