// How a warp's lanes part and meet: stretches of its steps in which the same lanes are on their way together,
// and between a branch that parts lanes and the step at which they meet, which lanes always went together.
// All from recorded masks.
#pragma once

#include "base/lane_mask.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <array>
#include <optional>
#include <vector>

namespace lockstep::explain {

// Steps first ... end - 1: the same lanes stand at each of their instructions.
struct Stretch {
    enum class Kind : u8 {
        Together,  // no lane is on another way
        Branch,  // the one step at which the warp parts; or at which it stays whole, where other warps of the
                 // block go another way
        Way,     // of some of the lanes that parted
    };
    Kind kind = Kind::Together;
    u32 first = 0, end = 0;
    LaneMask lanes;                // that stand here
    std::optional<u32> parting{};  // into DivergenceFacts::partings: of a branch and of a way
    bool returns = false;          // all that these lanes still do is end, while others go on
    u32 instructions() const { return end - first; }
};

// From a branch at which lanes diverge to where they reconverge; what diverges in between belongs to it.
struct Parting {
    u32 branch = 0, end = 0;  // steps: of the branch; of the meeting, or that behind the warp's last one
    Pc pc;                    // of the branch
    LaneMask came, taken;     // that stand at it; of them those that jump
    bool meets = true;
    std::vector<LaneMask>
        groups;  // of lanes that took the same way all along, in the order in which a way is theirs alone
    std::vector<u32> paths{};  // of more than two groups: how many each warp of the block has from this
                               // branch on; 0: never comes there
    u32 instructions = 0;      // between branch and meeting, at which lanes that came stand
    u64 slots = 0, used = 0;   // lanes that came times these instructions; those of them that worked
};

struct DivergenceFacts {
    Warp warp;
    u32 exist = kWarpSize;  // lanes that the warp has
    std::vector<Stretch> stretches;
    std::vector<Parting> partings;       // of outermost branches
    u64 slots = 0, used = 0;             // of all of the warp's instructions
    std::array<u32, kWarpSize> reads{};  // loads of global or shared memory that each lane made

    std::size_t stretchAt(u32 step) const;
    // The lane has returned by this stretch: it does nothing there or later but end.
    bool hasReturned(std::size_t stretch, Lane lane) const;
    // The parting that a step lies in; else the next one; else the last. None: the warp never parts.
    const Parting* partingAt(u32 step) const;
};

// None where the warp issued nothing.
std::optional<DivergenceFacts> divergenceFacts(const ptx::Module& module, const trace::FocusBlock& block,
                                               Warp warp);

// From the branch of this step on, an inner one or an outermost one; its paths are left empty. One group: the
// lanes that come to the branch stay together. None: no branch with a condition.
std::optional<Parting> partingFrom(const ptx::Module& module, const trace::FocusBlock& block, Warp warp,
                                   u32 step);

// What each warp of the block did when it first came to the branch; none for those that never did.
struct AtBranch {
    u32 step = 0;
    int jump = 0, goOn = 0;
};
std::vector<std::optional<AtBranch>> warpsAtBranch(const ptx::Module& module, const trace::FocusBlock& block,
                                                   Pc pc);

}  // namespace lockstep::explain
