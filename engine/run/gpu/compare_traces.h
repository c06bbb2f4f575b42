// Compares two traces of one run of a kernel, one from the emulator and one from a GPU.
//
// Compared lane by lane, in the lane's own order: divergent paths of a warp run in a machine-dependent order,
// and reconverge where the machine code says; differences in lane groups are counted separately. If threads
// race or wait for each other, the values are machine-dependent, too: from a block's first such access on,
// and in launches after one with a race, differences are counted separately, and the accesses are compared as
// a set.
#pragma once

#include "ptx/module.h"
#include "trace/trace.h"

#include <string>
#include <vector>

namespace lockstep::run {

struct TraceComparison {
    u64 blocks = 0, steps = 0, accesses = 0;  // of the first trace
    // Lanes whose next step was a different instruction, and thread accesses with a different address or
    // value.
    u64 paths = 0, addresses = 0, values = 0;
    u64 groups = 0;                    // lane steps executed by a different group of lanes,
    u64 regrouped = 0;                 // and the instructions concerned
    u64 raced = 0;                     // lanes that differ only after a race or a wait
    bool racedAccessesDiffer = false;  // they also access different addresses: the sets of both differ
    bool truncated = false;            // a block is truncated in one of them; only its beginning was compared
    std::string first;                 // the first difference, as part of a sentence; empty: none
    std::string firstGroup;            // the same of the groups

    // Every lane takes the same path, with the same addresses and values. Lane grouping is machine-dependent.
    bool isSame() const { return paths + addresses + values == 0; }
};

// findings: of the run that gave `emulated`; what they name has an undefined result. Both have the same focus
// blocks.
TraceComparison compareTraces(const ptx::Module& module, const trace::Trace& emulated,
                              const trace::Trace& recorded, const std::vector<trace::Finding>& findings);

}  // namespace lockstep::run
