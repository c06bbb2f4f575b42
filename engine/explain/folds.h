// Values that are many others put together by one operation: sums, extremes, bits.
#pragma once

#include "explain/value_graph.h"

#include <optional>
#include <set>
#include <vector>

namespace lockstep::explain {

// What a fold takes one of: a value, or the product of two.
struct Term {
    ValueGraph::Id first = 0;
    std::optional<ValueGraph::Id> second{};
    bool isNegative = false;
};

struct Fold {
    ValueGraph::Kind kind =
        ValueGraph::Kind::Add;  // Add for sums and differences; else Least, Most, Bits, Choice
    std::vector<Term>
        terms;  // not what a sum takes off again: an exclusive one may be the inclusive less its last
    std::set<u32> threads;  // that put two together: warp * 32 + lane
    bool isScaled = false;  // the kernel's own numbers multiply some of them on the way: signs, weights
    bool subtracts() const;
};

// Behind conversions, and what is scaled or shifted by the kernel's own values.
ValueGraph::Id peeled(const ValueGraph& graph, ValueGraph::Id id);

// Of the value, or of what is left of it behind what a single value is made into at the end (a square root, a
// bound). None: it is no fold, or has more than `most` parts. A single product is a sum of one term.
std::optional<Fold> foldOf(const ValueGraph& graph, ValueGraph::Id id, std::size_t most);

}  // namespace lockstep::explain
