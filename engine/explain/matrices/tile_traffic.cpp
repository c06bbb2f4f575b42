#include "explain/matrices/tile_traffic.h"

#include "base/device_addresses.h"
#include "model/access/global_sectors.h"

#include <algorithm>
#include <map>
#include <set>

namespace lockstep::explain {
namespace {

// A place of the tile: what the cursor's round stores there, and until when it stays.
struct Held {
    const Transfer* transfer = nullptr;
    u32 until = ~0u;  // order of the next round's store
};

std::map<u64, Held> heldIn(const MatmulFacts& facts, const Operand& operand) {
    std::map<u64, Held> held;
    for (const Transfer& t : operand.transfers)
        if (t.round == facts.round) held[t.place].transfer = &t;
    for (const Transfer& t : operand.transfers)
        if (const auto found = held.find(t.place); t.round == facts.round + 1 && found != held.end())
            found->second.until = std::min(found->second.until, t.storeOrder);
    return held;
}

}  // namespace

std::optional<TileTraffic> tileTraffic(const MatmulFacts& facts, const Operand& operand,
                                       const trace::FocusBlock& block, const model::Profile& profile) {
    if (!operand.tile) return std::nullopt;
    const std::map<u64, Held> held = heldIn(facts, operand);
    TileTraffic traffic;
    std::set<std::pair<u32, u32>> loads;  // by warp and step
    u32 first = ~0u, last = 0;
    for (const auto& [place, at] : held) {
        const Transfer& t = *at.transfer;
        first = std::min(first, t.storeOrder), last = std::max(last, at.until);
        if (t.loadStep) loads.emplace(t.warp.value, *t.loadStep);
    }
    for (const auto& [w, step] : loads) {
        const trace::WarpTrace& warp = block.warps[w];
        const trace::WarpAccess access = warp.unpack(warp.accesses[warp.steps[step].access]);
        traffic.requests += model::globalRequests(access, profile);
        traffic.sectors += model::globalItems(access, profile);
    }
    const SharedArray& tile = *operand.tile;
    for (const trace::WarpTrace& warp : block.warps)
        for (auto step = std::ranges::lower_bound(warp.steps, first, {}, &trace::Step::order);
             step != warp.steps.end() && step->order < last; ++step) {
            if (step->access == trace::Step::kNone) continue;
            const trace::StoredAccess& access = warp.accesses[step->access];
            if (access.space != trace::Space::Shared || access.kind != trace::AccessKind::Load) continue;
            for (u32 part = 0; part < access.widthBytes / tile.elementBytes; ++part) {
                trace::WarpAccess direct{.pc = access.pc, .active = {}, .widthBytes = u8(tile.elementBytes)};
                for (const Lane lane : access.active) {
                    const u64 at = warp.address(access, lane) + u64{part} * tile.elementBytes;
                    if (at < tile.base) continue;
                    const auto found = held.find((at - tile.base) / tile.elementBytes);
                    if (found == held.end() || step->order < found->second.transfer->storeOrder ||
                        step->order >= found->second.until)
                        continue;
                    const Transfer& t = *found->second.transfer;
                    if (!t.loadStep || !t.read || t.outside) continue;
                    direct.active = direct.active | LaneMask::of(lane);
                    direct.addresses[lane.value] =
                        deviceAddressOf(operand.matrix.buffer) +
                        u64(t.read->row * s64(operand.matrix.columns) + t.read->column) * tile.elementBytes;
                }
                if (direct.active.empty()) continue;
                traffic.requestsWithout += model::globalRequests(direct, profile);
                traffic.sectorsWithout += model::globalItems(direct, profile);
            }
        }
    return traffic.requests && traffic.requestsWithout ? std::optional(traffic) : std::nullopt;
}

}  // namespace lockstep::explain
