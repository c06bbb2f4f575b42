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

std::optional<ElementType> elementOf(ptx::Type type) {
    for (const ElementTypeInfo& element : elementTypes())
        if (ptxType(element.type) == type) return element.type;
    return std::nullopt;
}

std::optional<ElementType> unsignedOf(u32 bytes) {
    for (const ElementTypeInfo& element : elementTypes())
        if (element.bytes == bytes && element.name.starts_with('u')) return element.type;
    return std::nullopt;
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
    return elementOf(type);
}

std::vector<bool> goInto(const BlockFlow& flow, const ArrayTouch& store, std::span<const PlaceLoaded> loads,
                         u32 elementBytes) {
    std::vector<bool> goes(loads.size());
    if (loads.empty()) return goes;
    const Origin value = flow.originOfStored({Warp{store.event.warp}, store.lane, store.event.step},
                                             store.firstByte, store.bytes);
    const u32 since = std::ranges::min(loads, {}, &PlaceLoaded::step).step;
    for (const Origin& origin : flow.loadsBehind(value, since)) {
        if (origin.at.lane != store.lane) continue;
        const auto from = flow.loadedFrom(origin);
        for (std::size_t i = 0; from && i < loads.size(); ++i)
            if (loads[i].step == origin.at.step && loads[i].address < from->address + origin.bytes &&
                from->address < loads[i].address + elementBytes)
                goes[i] = true;
    }
    return goes;
}

f64 valueOf(const Recorded& run, const SharedArray& array, const trace::FocusBlock& block,
            const ArrayTouch& touch) {
    std::optional<ElementType> type = typeOf(run, array, touch.event);
    if (type && info(*type).bytes != touch.bytes)  // an access of several elements that is no vector
        type = unsignedOf(touch.bytes);
    if (!type) return 0;
    const auto bytes = block.warps[touch.event.warp].value(*touch.event.access, touch.lane);
    return numberOf(bytes.subspan(touch.firstByte), *type);
}

}  // namespace lockstep::explain
