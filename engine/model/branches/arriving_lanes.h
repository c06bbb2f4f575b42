// How many lanes arrived at each instruction before its guard: for `@p bra` all active lanes, though only
// those whose guard is true take the branch.
#pragma once

#include "ptx/module.h"
#include "trace/trace.h"

#include <vector>

namespace lockstep::model {

// By pc, summed over the executions. A recording counts the lanes whose guard is true; the arriving lanes
// follow from other instructions of the same basic block, or from the branch's successors.
std::vector<u64> arrivingLanes(const ptx::Module& module, const std::vector<trace::PcCounts>& perPc);

// Active lanes: for a branch those that arrived at it, for all else those whose guard is true.
u64 lanesAtWork(const ptx::Module& module, const std::vector<trace::PcCounts>& perPc,
                const std::vector<u64>& came, Pc pc);

}  // namespace lockstep::model
