// What an observer of a replay (warp_replay.h) is told of registers: which lanes execute what in which call
// of a function, who exchanges values with whom, and where arguments go. Of what an instruction reads and
// writes ptx/analysis/register_uses.h knows the rest.
#pragma once

#include "base/indices.h"
#include "base/lane_mask.h"
#include "ptx/instruction.h"

#include <compare>

namespace lockstep::simt {

// The registers of a function at one depth of calls (0: the kernel's own). Each lane has its own part of
// them, and a lane is in at most one call at a depth.
struct RegisterFrame {
    ptx::FunctionId function;
    u32 depth = 0;
    auto operator<=>(const RegisterFrame&) const = default;
};

class ReplayObserver {
public:
    virtual ~ReplayObserver() = default;
    // The lanes of a step are about to execute its instruction; registers hold what they held before it.
    virtual void executes(u32 step, RegisterFrame frame) = 0;
    // These lanes have all come to the instruction, each with a step of its own or together with others, and
    // are about to exchange values (shfl, vote, match, redux). Lanes of which this is never told went on
    // without each other: what they got is not known.
    virtual void exchanges(Pc pc, RegisterFrame frame, LaneMask together) = 0;
    // The lanes enter a function with registers that hold nothing, and leave it again. call: its instruction.
    virtual void enters(Pc call, RegisterFrame caller, RegisterFrame callee, LaneMask lanes) = 0;
    virtual void leaves(Pc call, RegisterFrame callee, RegisterFrame caller, LaneMask lanes) = 0;
    // They end: no register of theirs is read again.
    virtual void ends(LaneMask lanes) = 0;
};

}  // namespace lockstep::simt
