// A histogram: what memory holds decides where something is added.
#include "base/text/counted.h"
#include "explain/moving_accesses.h"
#include "explain/shape_rules.h"

#include <algorithm>

namespace lockstep::explain {
namespace {

// One instruction that counts.
struct Site {
    std::size_t times = 0;
    bool isAtomic = false;
};

bool adds(std::string_view form) {
    return form.find(".add") != std::string_view::npos || form.find(".inc") != std::string_view::npos;
}

// Whether the step adds to what stood at the place that it writes: an atomic whatever, a plain store a number
// of the kernel's own. Else it is any update in place.
bool counts(const BlockValues& values, const MovedValue& value) {
    const trace::StoredAccess& access = *value.access;
    if (access.kind != trace::AccessKind::Store) return adds(values.graph.module().at(access.pc).form);
    const BlockFlow& flow = values.graph.flow();
    const auto loads =
        flow.loadsBehind(flow.originOfStored(value.thread, value.element * value.bytes, value.bytes));
    const auto place = loads.size() == 1 ? flow.loadedFrom(loads.front()) : std::nullopt;
    return place && place->space == access.space &&
           place->address ==
               values.graph.block().warps[value.thread.warp.value].address(access, value.thread.lane);
}

}  // namespace

std::optional<ProvedShape> provedHistogram(const BlockValues& values) {
    std::map<u32, std::optional<Site>> sites;  // by pc, asked where it comes first
    forEachMovingAccess(values.graph.block(), [&](Warp w, u32 step, const trace::StoredAccess& access) {
        if (!trace::writes(access.kind)) return;
        const auto [site, isNew] = sites.try_emplace(access.pc.value);
        if (isNew)
            forEachValue(values.graph.module(), w, step, access, [&](const MovedValue& value) {
                if (!site->second && value.element == 0 && values.graph.isPlacedByData(value.thread) &&
                    counts(values, value))
                    site->second = Site{0, access.kind != trace::AccessKind::Store};
            });
        if (site->second) site->second->times += std::size_t(access.active.count());
    });
    const auto most = std::ranges::max_element(
        sites, {}, [](const auto& site) { return site.second ? site.second->times : 0; });
    if (most == sites.end() || !most->second) return std::nullopt;
    const Site& site = *most->second;
    const std::string count = grouped(site.times);
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
