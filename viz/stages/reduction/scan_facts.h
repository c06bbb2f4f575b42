// The running sums that a block's threads make in shared memory, round by round, in the shape of a
// reduction's: who adds, copies or sets which place.
#pragma once

#include "viz/stages/reduction/reduction_facts.h"

namespace lockstep::viz {

// None where no thread adds one place of a shared array to another, or the block cannot be followed.
std::optional<ReductionFacts> scanFacts(const run::Run& run, const Cursor& cursor,
                                        const explain::LazyFlow& flow);
std::optional<ReductionFacts> scanFacts(const run::Run& run, const Cursor& cursor);

}  // namespace lockstep::viz
