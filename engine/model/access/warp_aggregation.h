// Atomics that the compiler first aggregates over the warp: if all lanes provably access one address, one
// lane performs the atomic for all.
#pragma once

#include "ptx/module.h"
#include "trace/access.h"

#include <vector>

namespace lockstep::model {

// By pc. Derived from the machine code of ptxas 13.0 for cc 9.0 (40 atomics), and measured on an H200: min
// and max of a warp on one uniform address make 1 sector a request. Integer add, min, max, and, or, xor of 32
// bits whose address does not depend on the thread are aggregated; if the old value is used, only add; of 64
// bits, only an add of a value that does not depend on the thread either.
std::vector<bool> warpAggregatedAtomics(const ptx::Module& module, const ptx::Function& function);

// The access as the hardware executes it: by one lane.
trace::WarpAccess byOneLane(trace::WarpAccess access);

}  // namespace lockstep::model
