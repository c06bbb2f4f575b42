// What it costs to sum n elements with p processors, as the theorem of Brent counts: first each adds up its
// own elements, then pairs of sums are added, round by round. A step is one addition's time; cost is
// processors times steps, whether they add or wait.
#pragma once

#include "base/integers.h"

namespace lockstep::explain {

struct TreeCost {
    u64 elements = 1, processors = 1;
    u64 each = 0;    // additions of a processor's own elements, at most: steps before the tree
    u64 rounds = 0;  // of the tree

    u64 steps() const { return each + rounds; }
    u64 cost() const { return processors * steps(); }
    u64 additions() const { return elements - 1; }  // in any order
    f64 costPerElement() const { return f64(cost()) / f64(elements); }
    f64 busy() const { return steps() == 0 ? 1 : f64(additions()) / f64(cost()); }  // part of the cost
    // How many processors add in a step, from 0.
    u64 addingAt(u64 step) const;
    bool operator==(const TreeCost&) const = default;
};

// elements: at least 1. processors: at least 1; more than there are elements are not used.
TreeCost treeCost(u64 elements, u64 processors);

// About n / log2(n), rounded up: so few that the cost is proportional to n.
u64 processorsOfBrent(u64 elements);

}  // namespace lockstep::explain
