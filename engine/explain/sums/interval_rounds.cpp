// Sorts rounds into barrier intervals.
#include "explain/sums/interval_rounds.h"

#include <set>

namespace lockstep::explain {
std::optional<u64> strideOf(const ReductionFacts& facts, u32 round) {
    std::set<u64> strides;
    for (const Addition& a : facts.rounds[round])
        for (const Addend& from : a.from)
            if (a.isUsed || !facts.isByThread)
                strides.insert(from.place > a.to ? from.place - a.to : a.to - from.place);
    return strides.size() == 1 ? std::optional(*strides.begin()) : std::nullopt;
}

RoundsByInterval roundsByInterval(const ReductionFacts& facts, const trace::FocusBlock& block) {
    RoundsByInterval found;
    for (u32 round = 0; round < facts.rounds.size(); ++round) {
        if (!facts.adds(round)) continue;
        const Addition& any = facts.rounds[round].front();
        const u32 number = facts.numberOf(round);
        const u64 stride = facts.isPadded ? 0 : strideOf(facts, round).value_or(0);
        const auto [at, isFirst] = found.try_emplace(block.warps[any.warp.value].phaseOf(any.step),
                                                     IntervalRounds{number, number, stride, stride});
        if (!isFirst) at->second.last = number, at->second.lastStride = stride;
    }
    return found;
}

}  // namespace lockstep::explain
