// Which blocks of an SM go first: the older ones. What they leave is for the younger.
#pragma once

#include "base/integers.h"

namespace lockstep::model {

inline constexpr u64 kAllTurns = 65536;

// Of so many rounds in which its warps could go on, those in which a block does that has this many older ones
// beside it on its SM and meets at barriers. Measured on an H200 by the clocks of blocks that multiply in
// tiles (tests/data/caches, ages.csv): of 64 warps those that begin first keep their pace, the others share
// what is left, down to a sixth; with blocks of two warps more of them do.
u64 turnsOfBlock(u64 older, u64 warpsPerBlock);

}  // namespace lockstep::model
