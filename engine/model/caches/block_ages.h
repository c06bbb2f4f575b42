// Scheduling priority among an SM's blocks: older blocks first, younger ones get what is left.
#pragma once

#include "base/integers.h"

namespace lockstep::model {

inline constexpr u64 kAllTurns = 65536;

// Of so many rounds in which its warps are ready, those in which a block with this many older blocks on its
// SM gets its turn, if its warps meet at barriers. Measured on an H200 by the clocks of blocks that multiply
// in tiles (tests/data/caches, ages.csv): of 64 warps those that begin first keep their pace, the others
// share what is left, down to a sixth; with blocks of two warps more of them keep it.
u64 turnsOfBlock(u64 older, u64 warpsPerBlock);

}  // namespace lockstep::model
