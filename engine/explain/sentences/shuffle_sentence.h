// The sentence for a shuffle: which lanes take a value from which.
#pragma once

#include "base/lane_mask.h"
#include "base/text/message.h"
#include "ptx/module.h"

namespace lockstep::explain {

// "Warp 0: lanes 0–15 take the values of lanes 16–31, lane 0 that of lane 16; lanes 16–31 keep their own
// (shfl.sync.down.b32)." Where the distance is not known from the code: that each lane takes the value of
// another.
Message shuffleSentence(const ptx::Module& module, Pc pc, LaneMask active, const Message& who,
                        const Message& lanes);

}  // namespace lockstep::explain
