// One step of a warp: its current path executes an instruction. Divergence is that of the machine: lanes meet
// again at BSYNC, WARPSYNC and barriers alone.
#pragma once

#include "time/machine/block_state.h"

namespace lockstep::time {

struct Step {
    const Op* op = nullptr;
    u32 instruction = 0;      // index in the program
    u32 pathLanes = 0;        // lanes that issued it
    u32 lanes = 0;            // of them, those that its guard let execute
    bool isTaken = false;     // a branch that some lanes took
    bool isDiverged = false;  // of the path's lanes others fell through
    bool isBlocked = false;   // no path of the warp can go on: it is at a barrier, or done
};

// The warp is neither done nor blocked.
Step step(WarpState& warp);

// Whether all its lanes are at the barrier of the block, or have exited.
bool isAtBlockBarrier(const WarpState& warp);
// Lets the lanes at the block's barrier go on.
void passBlockBarrier(WarpState& warp);
// Whether some path can execute.
bool canStep(const WarpState& warp);

}  // namespace lockstep::time
