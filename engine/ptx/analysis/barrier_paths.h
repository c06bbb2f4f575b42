// Whether a thread can get from one instruction to another without a block barrier in between: for a race
// across loop iterations, the missing barrier belongs after the one that runs first, not between the two in
// the text.
#pragma once

#include "ptx/module.h"

namespace lockstep::ptx {

// A path from after `from` to `to` without a block barrier. False if they are in different functions; true
// for an instruction and itself if a loop leads back to it.
bool reachesWithoutBarrier(Pc from, Pc to, const Module& module);

}  // namespace lockstep::ptx
