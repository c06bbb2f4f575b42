// The quantities of sums in shared memory, of the round that a question asks about. Rows of quantities().
#pragma once

#include "explain/sums/reduction_facts.h"
#include "lessons/quantities.h"

namespace lockstep::lessons {

std::vector<Quantity> reductionRows();

// Of the shared array that the place accesses, or else of the first one in which threads add. None: in none.
std::optional<explain::ReductionFacts> reductionAt(const PlaceOnShow& place);

// By the place that the sum goes to. Fault: the block adds up nothing, has fewer rounds, or sums that are no
// whole numbers.
Expected<std::vector<explain::Addition>> additionsOf(const PlaceOnShow& place);

}  // namespace lockstep::lessons
