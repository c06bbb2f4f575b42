// What a parallel reduction costs: processors x steps, in additions that could have been made. A tree over n
// elements is fast, but most of its processors idle; fewer processors that first add up a few elements each
// cost as little as one.
#pragma once

#include "base/indices.h"

namespace lockstep::model {

struct ReductionCost {
    u64 processors = 0, steps = 0;
    u64 cost() const { return processors * steps; }
};

// One processor: n - 1 additions, one after the other.
ReductionCost serialReduction(u64 n);
// A processor for each element, log2 n steps: cost n log n.
ReductionCost treeReduction(u64 n);
// n / log2 n processors: each adds up log2 n elements, then they form a tree. Cost proportional to n again
// (Brent's theorem: R. P. Brent, The Parallel Evaluation of General Arithmetic Expressions, Journal of the
// ACM 21 (1974), 201-206).
ReductionCost cascadedReduction(u64 n);

}  // namespace lockstep::model
