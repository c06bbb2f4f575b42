// A histogram: what memory holds decides where something is added.
#include "base/counted.h"
#include "explain/moving_accesses.h"
#include "explain/shape_rules.h"

#include <algorithm>

namespace lockstep::explain {
namespace {

using Kind = ValueGraph::Kind;

// One instruction that counts.
struct Site {
    std::size_t values = 0;
    trace::Space space = trace::Space::Global;
    bool isAtomic = false;
};

// Whether the step adds to what stood at the place that it writes.
bool addsTo(const BlockValues& values, const trace::StoredAccess& access, const MovedValue& value) {
    if (access.kind == trace::AccessKind::Atomic || access.kind == trace::AccessKind::Reduction) return true;
    if (access.kind != trace::AccessKind::Store) return false;
    const trace::FocusBlock& block = values.graph.block();
    const BlockFlow& flow = values.graph.flow();
    const u64 to = block.warps[value.thread.warp.value].address(access, value.thread.lane);
    const auto loads =
        flow.loadsBehind(flow.originOfStored(value.thread, value.element * value.bytes, value.bytes));
    return std::ranges::any_of(loads, [&](const Origin& load) {
        const auto place = flow.loadedFrom(load);
        return place && place->address == to && place->space == access.space;
    });
}

// A plain store has to add a number of the kernel's own: else it is any update in place.
bool isCount(const BlockValues& values, const MovedValue& value) {
    const BlockFlow& flow = values.graph.flow();
    const trace::StoredAccess& access = *value.access;
    const Origin stored = flow.originOfStored(value.thread, value.element * value.bytes, value.bytes);
    return access.kind != trace::AccessKind::Store ||
           flow.loadsBehind(stored).size() == 1;  // what stood there
}

}  // namespace

std::optional<ProvedShape> provedHistogram(const BlockValues& values) {
    const trace::FocusBlock& block = values.graph.block();
    std::map<u32, std::optional<Site>> sites;  // by pc, asked where it comes first
    std::size_t writes = 0;
    forEachMovingAccess(block, [&](Warp w, u32 step, const trace::StoredAccess& access) {
        if (!trace::writes(access.kind)) return;
        const auto [known, isNew] = sites.try_emplace(access.pc.value);
        if (isNew)
            forEachValue(values.graph.module(), w, step, access, [&](const MovedValue& value) {
                if (known->second || value.element > 0 || !values.graph.isPlacedByData(value.thread) ||
                    !addsTo(values, access, value) || !isCount(values, value))
                    return;
                known->second = Site{0, access.space, access.kind != trace::AccessKind::Store};
            });
        if (known->second) known->second->values += std::size_t(access.active.count());
        ++writes;
    });
    const auto counts = std::ranges::max_element(
        sites, {}, [](const auto& site) { return site.second ? site.second->values : 0; });
    if (counts == sites.end() || !counts->second) return std::nullopt;
    const Site& site = *counts->second;
    const std::string count = grouped(site.values);
    return ProvedShape{
        .shape = Shape::Histogram,
        .evidence = {site.isAtomic
                         ? Message(english("The data decide which counter an atomic adds to ({0} times)."),
                                   count)
                         : Message(english("The data decide which counter is read, incremented and written "
                                           "back, without an atomic ({0} times)."),
                                   count)},
        .buffers = {}};
}

}  // namespace lockstep::explain
