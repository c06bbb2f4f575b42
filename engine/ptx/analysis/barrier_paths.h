// Whether a thread can get from one instruction to another without a block barrier in between: for a race
// across loop iterations, the missing barrier belongs after the one that runs first, not between the two in
// the text.
#pragma once

#include "ptx/module.h"

namespace lockstep::ptx {

// A path from after `from` to `to` without a block barrier. False if they are in different functions; true
// for an instruction and itself if a loop leads back to it.
// An instruction that orders a warp's lanes is one, too, where it is asked for.
enum class BarrierOf : unsigned char { Block, BlockOrWarp };
bool reachesWithoutBarrier(Pc from, Pc to, const Module& module, BarrierOf barrier = BarrierOf::Block);

}  // namespace lockstep::ptx
