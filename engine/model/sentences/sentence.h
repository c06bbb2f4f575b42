// The plain-language sentence for the cursor: what this warp does in this step, and what it costs.
#pragma once

#include "base/text/message.h"
#include "model/access/shared_atomics.h"
#include "model/profiles/profile.h"
#include "model/sentences/address_names.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <span>

namespace lockstep::model {

// For any step of a focus block's warp: accesses with their cost, branches with their ways, barriers,
// arithmetic with its mask. Empty where the block has no such warp or step.
Message sentenceAt(const ptx::Module& module, const trace::Recording& recording,
                   const trace::FocusBlock& block, Warp warp, u32 step, const Profile& profile,
                   std::span<const ArrayShape> shapes = {});

// The sentence for one access, for the playground too, where there is neither kernel nor trace.
struct AccessWords {
    Message who = english("The warp");
    std::string array;  // "Mds"; empty: not named
    std::string first,
        last;  // the places of the lowest and of the highest address, "M[0][0]"; empty: not named
    u32 lanesOfWarp = kWarpSize;
};
Message sharedSentence(const trace::WarpAccess& access, const Profile& profile, const AccessWords& words,
                       SharedAtomicForm form = SharedAtomicForm::Native);
Message globalSentence(const trace::WarpAccess& access, const Profile& profile, const AccessWords& words);

// The lanes that are on this step's path, those whose guard is false included, as far as the neighboring
// steps of the same straight run show it.
std::optional<LaneMask> pathMask(const ptx::Module& module, const trace::WarpTrace& warp, u32 step);

// What the opcode does, one line, from the opcode table.
Message opcodeSummary(const ptx::Instruction& instruction);

}  // namespace lockstep::model
