// The plain-language sentence for the cursor: what this warp does in this step, and what it costs.
#pragma once

#include "base/text/message.h"
#include "explain/sentences/address_names.h"
#include "model/access/shared_atomics.h"
#include "model/profiles/profile.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <span>

namespace lockstep::explain {

// For any step of a focus block's warp: accesses with their cost, branches with their ways, barriers,
// arithmetic with its mask. Empty where the block has no such warp or step.
Message sentenceAt(const ptx::Module& module, const trace::Recording& recording,
                   const trace::FocusBlock& block, Warp warp, u32 step, const model::Profile& profile,
                   std::span<const ArrayShape> shapes = {});

// The sentence for one access, for the playground too, where there is neither kernel nor trace.
struct AccessWords {
    Message who = english("The warp");
    std::string array;  // "Mds"; empty: not named
    std::string first,
        last;  // the places of the lowest and of the highest address, "M[0][0]"; empty: not named
    u32 lanesOfWarp = kWarpSize;
};
Message sharedSentence(const trace::WarpAccess& access, const model::Profile& profile,
                       const AccessWords& words,
                       model::SharedAtomicForm form = model::SharedAtomicForm::Native);
Message globalSentence(const trace::WarpAccess& access, const model::Profile& profile,
                       const AccessWords& words);

// What the opcode does, one line, from the opcode table.
Message opcodeSummary(const ptx::Instruction& instruction);

}  // namespace lockstep::explain
