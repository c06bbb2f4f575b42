// The running sums that a block's threads make in shared memory, round by round, in the shape of a
// reduction's: who adds, copies or sets which place.
#pragma once

#include "explain/sums/reduction_facts.h"

namespace lockstep::explain {

// None where no thread adds one place of a shared array to another, or the block cannot be followed.
std::optional<ReductionFacts> scanFacts(const Recorded& run, const Cursor& cursor, const LazyFlow& flow);
std::optional<ReductionFacts> scanFacts(const Recorded& run, const Cursor& cursor);

}  // namespace lockstep::explain
