#include "explain/access/shared_events.h"

#include "explain/cursor/lookup.h"
#include "explain/numbers.h"

#include <algorithm>

namespace lockstep::explain {

std::vector<SharedEvent> sharedEvents(const trace::FocusBlock& block) {
    std::vector<SharedEvent> events;
    for (u32 w = 0; w < block.warps.size(); ++w)
        for (u32 s = 0; s < block.warps[w].steps.size(); ++s) {
            const trace::Step& step = block.warps[w].steps[s];
            if (step.access != trace::Step::kNone &&
                block.warps[w].accesses[step.access].space == trace::Space::Shared)
                events.push_back({step.order, w, s, &block.warps[w].accesses[step.access]});
        }
    std::ranges::sort(events, {}, &SharedEvent::order);
    return events;
}

std::optional<ElementType> typeOf(const Recorded& run, const SharedEvent& event) {
    const ptx::Type type = elementType(*run.module, event.access->pc);
    for (const ElementTypeInfo& element : elementTypes())
        if (ptxType(element.type) == type) return element.type;
    return std::nullopt;
}

std::vector<bool> goInto(const BlockFlow& flow, const SharedEvent& store, Lane lane,
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

f64 valueOf(const Recorded& run, const trace::FocusBlock& block, const SharedEvent& event, Lane lane) {
    const std::optional<ElementType> type = typeOf(run, event);
    return type ? numberOf(block.warps[event.warp].value(*event.access, lane), *type) : 0;
}

}  // namespace lockstep::explain
