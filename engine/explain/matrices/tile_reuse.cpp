#include "explain/matrices/tile_reuse.h"

#include "explain/access/step_cost.h"

#include <algorithm>
#include <limits>
#include <set>

namespace lockstep::explain {

u32 readsOf(const Operand& operand, const Transfer& transfer, const BlockAccesses& accesses, u32 order) {
    const SharedArray& tile = *operand.tile;
    const auto touches = accesses.of(trace::Space::Shared, tile.base + transfer.place * tile.elementBytes);
    u32 reads = 0;
    for (auto touch =
             std::ranges::upper_bound(touches, transfer.storeOrder, {}, &BlockAccesses::Touch::order);
         touch != touches.end() && touch->order <= order; ++touch) {
        if (trace::writes(touch->kind)) break;  // the next tile's
        reads += u32(touch->lanes.count());
    }
    return reads;
}

TileReuse tileReuse(const Recorded& run, const MatmulFacts& facts, const Operand& operand,
                    const trace::FocusBlock& block, const BlockAccesses& accesses,
                    const model::Profile& profile) {
    TileReuse reuse;
    std::set<std::pair<u32, u32>> steps;  // warps and their loads
    bool isFirst = true;
    for (const Transfer& t : operand.transfers) {
        if (t.round != facts.round) continue;
        reuse.loaded += t.loadStep.has_value();
        if (t.loadStep) steps.emplace(t.warp.value, *t.loadStep);
        const u32 soFar = readsOf(operand, t, accesses, facts.order);
        reuse.reads += readsOf(operand, t, accesses, std::numeric_limits<u32>::max());
        reuse.readsSoFar += soFar;
        reuse.leastSoFar = isFirst ? soFar : std::min(reuse.leastSoFar, soFar);
        reuse.mostSoFar = std::max(reuse.mostSoFar, soFar);
        isFirst = false;
    }
    StepCosts costs(block, profile, *run.module);
    reuse.requests = u32(steps.size());
    for (const auto& [warp, step] : steps)
        reuse.sectors += costs.of(Warp{warp}, step).cost;
    return reuse;
}

}  // namespace lockstep::explain
