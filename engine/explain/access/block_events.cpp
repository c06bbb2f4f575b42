#include "explain/access/block_events.h"

#include "base/element_value.h"
#include "explain/access/warp_steps.h"
#include "explain/cursor/lookup.h"
#include "explain/numbers.h"

#include <algorithm>
#include <utility>

namespace lockstep::explain {
namespace {

// Stable. Steps are numbered one by one, so that numbers tell places; a record from elsewhere may skip many.
void sortByOrder(std::vector<BlockEvent>& events) {
    constexpr u64 kMostNumbersAnEvent = 64;
    if (events.empty()) return;
    const u32 last = std::ranges::max(events, {}, &BlockEvent::order).order;
    if (last / kMostNumbersAnEvent > events.size())
        return (void)std::ranges::stable_sort(events, {}, &BlockEvent::order);
    std::vector<u32> places(std::size_t{last} + 2);
    for (const BlockEvent& event : events)
        ++places[event.order + 1];
    for (std::size_t order = 0; order <= last; ++order)
        places[order + 1] += places[order];
    std::vector<BlockEvent> sorted(events.size());
    for (const BlockEvent& event : events)
        sorted[places[event.order]++] = event;
    events = std::move(sorted);
}

}  // namespace

std::vector<BlockEvent> blockEvents(const trace::FocusBlock& block) {
    std::vector<BlockEvent> events;
    std::size_t accesses = 0;
    for (const trace::WarpTrace& warp : block.warps)
        accesses += warp.accesses.size();
    events.reserve(accesses);
    for (u32 w = 0; w < block.warps.size(); ++w)
        for (u32 s = 0; s < block.warps[w].steps.size(); ++s) {
            const trace::WarpTrace& warp = block.warps[w];
            const trace::StoredAccess *access = accessOf(warp, s), *to = copiedTo(warp, s);
            const u32 order = warp.steps[s].order;
            if (access)
                events.push_back({.order = order,
                                  .warp = w,
                                  .step = s,
                                  .access = access,
                                  .isLoad = to || access->kind == trace::AccessKind::Load});
            if (to) events.push_back({.order = order, .warp = w, .step = s, .access = to, .isCopied = true});
        }
    sortByOrder(events);
    return events;
}

std::vector<BlockEvent> sharedEvents(const trace::FocusBlock& block) {
    std::vector<BlockEvent> events = blockEvents(block);
    std::erase_if(events,
                  [](const BlockEvent& e) { return e.access->space != trace::Space::Shared || e.isCopied; });
    return events;
}

std::optional<ElementType> typeOf(const Recorded& run, const SharedArray& array, const BlockEvent& event) {
    const ptx::Type written = elementType(*run.module, event.access->pc);
    const bool isDeclared =
        array.type != ptx::bitsType(array.elementBytes) && ptx::bytesOf(array.type) == ptx::bytesOf(written);
    const ptx::Type type = isDeclared ? array.type : written;
    for (const ElementTypeInfo& element : elementTypes())
        if (ptxType(element.type) == type) return element.type;
    return std::nullopt;
}

std::vector<bool> goInto(const BlockFlow& flow, const BlockEvent& store, Lane lane,
                         std::span<const u32> loadSteps) {
    std::vector<bool> goes(loadSteps.size());
    if (loadSteps.empty()) return goes;
    const Origin value =
        flow.originOfStored({Warp{store.warp}, lane, store.step}, 0, store.access->widthBytes);
    for (const Origin& load : flow.loadsBehind(value, std::ranges::min(loadSteps)))
        for (std::size_t i = 0; i < loadSteps.size(); ++i)
            if (load.at.lane == lane && load.at.step == loadSteps[i]) goes[i] = true;
    return goes;
}

f64 valueOf(const Recorded& run, const SharedArray& array, const trace::FocusBlock& block,
            const BlockEvent& event, Lane lane) {
    const std::optional<ElementType> type = typeOf(run, array, event);
    return type ? numberOf(block.warps[event.warp].value(*event.access, lane), *type) : 0;
}

}  // namespace lockstep::explain
