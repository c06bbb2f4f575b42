// What a tile saves: the loads that fill it, beside those that would read from its matrix whatever threads
// read from the tile.
#include "witness/readers/reader.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <set>

namespace lockstep::witness {

using trace::AccessKind, trace::Space;

// "Loading the block's tile of M takes 8 requests and 32 sectors. Reading M itself each time Mds is read
// would take 128 and 256: 16 and 8 times as many.", of the tile that the cursor's warp loads.
void Reader::savesText(const Said& said) {
    const std::size_t begin = text_.find(english() ? "Loading the block's tile of " : "装载本线程块的 ");
    if (begin == std::string::npos) return;
    const bool isN = says(std::string_view(text_).substr(begin), {"Nds"});
    const Array *from = run_.array(isN ? "N" : "M", cursor_.launch),
                *to = run_.array(isN ? "Nds" : "Mds", cursor_.launch);
    if (!from || !to) return fail(said, text_.substr(begin), "there is no such tile");
    const u32 round = tile().now - 1;
    struct Held {
        std::optional<u64> origin;  // none: a zero of the kernel
        u32 order = 0, until = ~0u;
    };
    std::map<u64, Held> held;             // by address in the tile
    std::set<std::pair<u32, u32>> loads;  // warp and step
    for (u32 w = 0; w < block_.block().warps.size(); ++w) {
        const trace::WarpTrace& warp = traceOf(w);
        std::array<std::optional<std::pair<u64, u32>>, 32> loaded;  // address and step
        std::array<u32, 32> stores{};
        for (u32 s = 0; s < warp.steps.size(); ++s) {
            if (warp.steps[s].access == trace::Step::kNone) continue;
            const trace::StoredAccess& access = warp.accesses[warp.steps[s].access];
            for (const Lane lane : access.active) {
                const u64 address = warp.address(access, lane);
                if (access.kind == AccessKind::Load && from->has(access.space, address))
                    loaded[lane.value] = {address, s};
                if (access.kind != AccessKind::Store || !to->has(access.space, address)) continue;
                const u32 number = stores[lane.value]++;
                const auto& last = loaded[lane.value];
                if (number == round) {
                    held[address] = {last ? std::optional(last->first) : std::nullopt, warp.steps[s].order};
                    if (last) loads.emplace(w, last->second);
                }
                if (number == round + 1)
                    if (const auto known = held.find(address); known != held.end())
                        known->second.until = std::min(known->second.until, warp.steps[s].order);
                loaded[lane.value].reset();
            }
        }
    }
    u64 requests = 0, items = 0, requestsWithout = 0, itemsWithout = 0;
    for (const auto& [w, step] : loads) {
        const trace::WarpTrace& warp = traceOf(w);
        const GlobalCost cost =
            globalCost(warp.unpack(warp.accesses[warp.steps[step].access]), run_.capability());
        requests += cost.requests, items += cost.items;
    }
    for (const trace::WarpTrace& warp : block_.block().warps)
        for (const trace::Step& step : warp.steps) {
            if (step.access == trace::Step::kNone) continue;
            const trace::StoredAccess& access = warp.accesses[step.access];
            if (access.kind != AccessKind::Load || access.space != Space::Shared) continue;
            for (u32 byte = 0; byte < access.widthBytes; byte += to->elementBytes) {
                trace::WarpAccess direct;
                direct.pc = access.pc, direct.widthBytes = u8(to->elementBytes);
                for (const Lane lane : access.active) {
                    const auto known = held.find(warp.address(access, lane) + byte);
                    if (known == held.end() || !known->second.origin || step.order < known->second.order ||
                        step.order >= known->second.until)
                        continue;
                    direct.active = direct.active | LaneMask::of(lane);
                    direct.addresses[lane.value] = *known->second.origin;
                }
                if (direct.active.empty()) continue;
                const GlobalCost cost = globalCost(direct, run_.capability());
                requestsWithout += cost.requests, itemsWithout += cost.items;
            }
        }
    const std::array wanted{f64(requests),
                            f64(items),
                            f64(requestsWithout),
                            f64(itemsWithout),
                            f64(requestsWithout) / f64(requests),
                            f64(itemsWithout) / f64(items)};
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < tokens_->size(); ++i)
        if ((*tokens_)[i].begin >= begin) numbers.push_back(i);
    if (numbers.size() != wanted.size()) return fail(said, text_.substr(begin), "other numbers");
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        done_[numbers[i]] = true;
        if (!agrees((*tokens_)[numbers[i]], wanted[i]))
            fail(said, written((*tokens_)[numbers[i]]), fmt::format("it is {}", wanted[i]));
    }
}

}  // namespace lockstep::witness
