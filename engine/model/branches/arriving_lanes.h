// How many lanes came to each instruction, guards aside: of `@p bra` all that are there, though only those
// jump whose guard is true.
#pragma once

#include "ptx/module.h"
#include "trace/trace.h"

#include <vector>

namespace lockstep::model {

// By pc, summed over the executions. A recording counts the lanes whose guard is true; those that came are
// told by the other instructions of the same basic block, or by where a branch leads.
std::vector<u64> arrivingLanes(const ptx::Module& module, const std::vector<trace::PcCounts>& perPc);

// Lanes at work: of a branch those that came to it, of everything else those whose guard is true.
u64 lanesAtWork(const ptx::Module& module, const std::vector<trace::PcCounts>& perPc,
                const std::vector<u64>& came, Pc pc);

}  // namespace lockstep::model
