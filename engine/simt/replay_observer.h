// The interface for observing registers in a replay (warp_replay.h): which lanes execute what in which call
// of a function, which lanes exchange values, and where arguments go. For what an instruction reads and
// writes, see ptx/analysis/register_uses.h.
#pragma once

#include "base/indices.h"
#include "base/lane_mask.h"
#include "ptx/instruction.h"

#include <compare>

namespace lockstep::simt {

// The registers of a function at one depth of calls (0: the kernel's own). Each lane has its own part of them
// and is in at most one call per depth.
struct RegisterFrame {
    ptx::FunctionId function;
    u32 depth = 0;
    auto operator<=>(const RegisterFrame&) const = default;
};

class ReplayObserver {
public:
    virtual ~ReplayObserver() = default;
    // The lanes of a step are about to execute its instruction; registers have their values from before it.
    virtual void executes(u32 step, RegisterFrame frame) = 0;
    // These lanes have all reached the instruction, each in its own step or together with others, and are
    // about to exchange values (shfl, vote, match, redux). Lanes without this call went on without each
    // other: their results are unknown.
    virtual void exchanges(Pc pc, RegisterFrame frame, LaneMask together) = 0;
    // The lanes enter a function, with undefined registers, or leave it. call: the call instruction.
    virtual void enters(Pc call, RegisterFrame caller, RegisterFrame callee, LaneMask lanes) = 0;
    virtual void leaves(Pc call, RegisterFrame callee, RegisterFrame caller, LaneMask lanes) = 0;
    // They exit: their registers are not read again.
    virtual void ends(LaneMask lanes) = 0;
};

}  // namespace lockstep::simt
