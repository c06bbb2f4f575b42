// What the compiler made of the shared accesses and branches that were written, read from machine code. If
// there is machine code, it replaces the predictions of shared_merging.h and branches.h.
#pragma once

#include "model/access/shared_merging.h"
#include "model/branches/branches.h"
#include "ptx/module.h"
#include "sass/machine_code.h"

#include <optional>
#include <vector>

namespace lockstep::model {

struct MachineAccesses {
    std::vector<MergedAccess> merged;  // ascending first pc of a member
    std::vector<Pc> removed;           // machine code has neither it nor a merged one: its value was
                                       // known, or is not used
    // Copies of the access (of an unrolled loop) have different widths, one access stands for several loop
    // iterations, or there are more accesses than PTX lines named in the code: how often each runs is not
    // known. Then the model's prediction is used.
    std::vector<Pc> unclear;
};
// Loads and stores of shared memory that the entry reaches. None if `code` does not contain the entry.
std::optional<MachineAccesses> machineAccesses(const ptx::Module& module, const ptx::Function& entry,
                                               u64 dynamicSharedBytes, const sass::MachineCode& code);

// What became of the conditional branch at `pc`. None if the code does not tell: it has no jump there and no
// guards up to the reconvergence point, for example because it was merged with another branch on the same
// condition.
std::optional<BranchForm> machineBranchForm(const ptx::Module& module, Pc pc, const sass::MachineCode& code);

}  // namespace lockstep::model
