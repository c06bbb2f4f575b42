// Two traces of one run of a kernel, one from the emulator and one from a GPU: do they say the same?
//
// Lane by lane, in the lane's own order: paths of one warp that went apart run in an order that is the
// machine's own, and meet where the machine code has them meet; groups of lanes are counted apart. Where
// threads race or wait for each other, what they find is the machine's own, too: from the first such access
// of a block on, and in the launches behind one with a race, differences are counted apart, and the accesses
// are compared as a set.
#pragma once

#include "ptx/module.h"
#include "trace/trace.h"

#include <string>
#include <vector>

namespace lockstep::run {

struct TraceComparison {
    u64 blocks = 0, steps = 0, accesses = 0;  // of the first trace
    // Lanes whose next step was another instruction, and thread accesses at another address or with another
    // value.
    u64 paths = 0, addresses = 0, values = 0;
    u64 groups = 0;     // steps of a lane that fewer or more lanes executed together,
    u64 regrouped = 0;  // and the instructions that these are
    u64 raced = 0;      // lanes that differ, but only after a race or a wait
    bool racedAccessesDiffer =
        false;               // they touch other addresses, too: not the same set of instruction and address
    bool truncated = false;  // a block is not whole in one of them; its beginnings were compared
    std::string first;       // the first difference, as a part of a sentence; empty: none
    std::string firstGroup;  // the same of the groups

    // Every lane goes the same way, to the same addresses and values. Which lanes go together is the
    // machine's own.
    bool isSame() const { return paths + addresses + values == 0; }
};

// findings: of the run that gave `emulated`; what they name has no defined outcome. Both have the same focus
// blocks.
TraceComparison compareTraces(const ptx::Module& module, const trace::Trace& emulated,
                              const trace::Trace& recorded, const std::vector<trace::Finding>& findings);

}  // namespace lockstep::run
