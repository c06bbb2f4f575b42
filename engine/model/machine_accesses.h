// What the machine runs in place of the shared accesses and branches that were written, as its machine code
// says. Where there is machine code, this is used in place of what shared_merging.h and branches.h expect of
// the compiler.
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
    std::vector<Pc> removed;  // the machine has no such access, and none that stands for it: its value was
                              // known, or nobody wants it
    // Copies of the access (of an unrolled loop) have different widths, one access stands for several turns
    // of a loop, or there are more accesses than the code names places for: how often each runs is not known.
    // Here the model's expectation holds.
    std::vector<Pc> unclear;
};
// Loads and stores of shared memory that the entry reaches. None if `code` does not have the entry.
std::optional<MachineAccesses> machineAccesses(const ptx::Module& module, const ptx::Function& entry,
                                               u64 dynamicSharedBytes, const sass::MachineCode& code);

// What became of the conditional branch at `pc`. None where the code does not tell: it has no jump from there
// and no guards up to where the paths meet, as where another branch on the same condition took this one
// along.
std::optional<BranchForm> machineBranchForm(const ptx::Module& module, Pc pc, const sass::MachineCode& code);

}  // namespace lockstep::model
