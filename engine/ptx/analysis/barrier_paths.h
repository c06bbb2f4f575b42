// Whether a thread can come from one instruction to another without waiting for its block in between: where a
// race is a loop's, the barrier that is missing belongs behind the one that runs first, not between the two
// as they stand.
#pragma once

#include "ptx/module.h"

namespace lockstep::ptx {

// From behind `from` to `to`, along branches, without a barrier of the block. False where they are of two
// functions; true of an instruction and itself where a loop leads back to it.
bool reachesWithoutBarrier(Pc from, Pc to, const Module& module);

}  // namespace lockstep::ptx
