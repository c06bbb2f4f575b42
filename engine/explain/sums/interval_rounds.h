// The rounds of a block's sums, by the barrier interval in which they are added.
#pragma once

#include "explain/sums/reduction_facts.h"

#include <map>

namespace lockstep::explain {

struct IntervalRounds {
    u32 first = 0, last = 0;              // from 1, as rounds are counted
    u64 firstStride = 0, lastStride = 0;  // elements from each sum to what is added to it; 0: not one for all
    bool operator==(const IntervalRounds&) const = default;
};
using RoundsByInterval = std::map<u32, IntervalRounds>;

// `block` is that of the facts.
RoundsByInterval roundsByInterval(const ReductionFacts& facts, const trace::FocusBlock& block);

// How far what is added in a round lies from its sum, where that is one distance for all.
std::optional<u64> strideOf(const ReductionFacts& facts, u32 round);

}  // namespace lockstep::explain
