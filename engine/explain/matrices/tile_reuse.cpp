#include "explain/matrices/tile_reuse.h"

#include <algorithm>

namespace lockstep::explain {

u32 readsOf(const Operand& operand, const Transfer& transfer, const BlockAccesses& accesses, u32 order) {
    const SharedArray& tile = *operand.tile;
    const auto after = [&](u32 moment) {
        return accesses.next(trace::Space::Shared, tile.base + transfer.place * tile.elementBytes, moment);
    };
    u32 reads = 0;
    for (auto touch = after(transfer.storeOrder); touch && touch->order <= order;
         touch = after(touch->order)) {
        if (trace::writes(touch->kind)) break;  // the next tile's
        reads += u32(touch->lanes.count());
    }
    return reads;
}

TileReuse tileReuse(const MatmulFacts& facts, const Operand& operand, const BlockAccesses& accesses) {
    TileReuse reuse;
    bool isFirst = true;
    for (const Transfer& t : operand.transfers) {
        if (t.round != facts.round) continue;
        const u32 soFar = readsOf(operand, t, accesses, facts.order);
        reuse.leastSoFar = isFirst ? soFar : std::min(reuse.leastSoFar, soFar);
        reuse.mostSoFar = std::max(reuse.mostSoFar, soFar);
        isFirst = false;
    }
    return reuse;
}

}  // namespace lockstep::explain
