// The running sums that a block's threads make in shared memory, round by round, in the shape of a
// reduction's: who adds, copies or sets which place. What a store does is told by the values: it is the sum
// of what its thread has read since, or one of these, wherever the instruction is executed.
#pragma once

#include "viz/stage/reduction_facts.h"

namespace lockstep::viz {

// None where no thread adds one place of a shared array to another.
std::optional<ReductionFacts> scanFacts(const run::Run& run, const Cursor& cursor);

}  // namespace lockstep::viz
