// Why lanes of a warp are off at a step: what they did last tells.
#pragma once

#include "base/lane_mask.h"
#include "base/text/language.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <string>
#include <vector>

namespace lockstep::explain {

struct InactiveLanes {
    enum class Why : u8 {
        GuardFalse,    // they are here, but the instruction's guard is false for them
        NoJump,        // the same of a branch: the others jump
        TurnToCome,    // they took the other way of a branch, which the warp runs later
        TurnOver,      // they took the other way and wait where the ways meet
        WentAround,    // their way leads straight to where the ways meet: they wait there
        LeftLoop,      // they have gone round often enough
        ReturnsLater,  // at a branch they left for the end: all that they still do is return
        Returned,      // they have ended
        Elsewhere,     // the record does not show it
    };
    LaneMask lanes;
    Why why = Why::Elsewhere;
    Pc at = kNoPc;  // the branch, or the return where it has run
    bool operator==(const InactiveLanes&) const = default;
};

// Lanes that stand at an instruction: only its guard keeps some of them from it.
LaneMask lanesAt(const ptx::Module& module, const trace::WarpTrace& warp, u32 step);
// Lanes that an instruction is work of: those that execute it, and of a branch all that come to it, whichever
// jump.
LaneMask lanesAtWork(const ptx::Module& module, const trace::WarpTrace& warp, u32 step);

// Of `lanes` those that are off, one entry for each reason as it is worded, the lowest lane first.
std::vector<InactiveLanes> inactiveLanes(const ptx::Module& module, const trace::WarpTrace& warp, u32 step,
                                         LaneMask lanes);

// "waiting to run another path from line 3": of one lane or of several.
std::string whyInWords(const ptx::Module& module, const InactiveLanes& off, Language language);

// "Lanes 1-3: waiting to run another path from line 3."
std::string inactiveLanesInWords(const ptx::Module& module, const InactiveLanes& off, Language language);
// The same of lanes that are off at a step, of the most lanes first, each after a blank where the language
// has one; no more reasons than a sentence bears. exist: how many lanes the warp has.
std::string whyOthersAreOff(const ptx::Module& module, const trace::WarpTrace& warp, u32 step, u32 exist,
                            Language language, std::size_t most = 2);

}  // namespace lockstep::explain
