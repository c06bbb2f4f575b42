#include "explain/access_flow.h"

#include "explain/memory_flow.h"
#include "explain/moving_accesses.h"
#include "explain/site_flow.h"

#include <algorithm>

namespace lockstep::explain {
namespace {

struct Source {
    std::string_view kind;
    std::optional<ThreadStep> at;
};

Source sourceOf(const BlockFlow& flow, const MovedValue& value) {
    if (value.access->kind == trace::AccessKind::Load) {
        const WrittenBy by = flow.writtenBy(value.thread, value.element);
        return {nameOf(by.kind), by.kind == WrittenBy::Kind::Store ? std::optional(by.at) : std::nullopt};
    }
    const Origin origin = flow.originOfStored(value.thread, value.element * value.bytes, value.bytes);
    return {nameOf(origin.kind),
            origin.kind == Origin::Kind::Unknown ? std::nullopt : std::optional(origin.at)};
}

void add(AccessFlow& access, const trace::FocusBlock& block, const MovedValue& value, const Source& source) {
    const auto isSame = [&](const AccessFlow::From& one) {
        return one.kind == source.kind && one.element == value.element && (one.pc == kNoPc) == !source.at &&
               (!source.at || (one.warp == source.at->warp && one.step == source.at->step));
    };
    auto known = std::ranges::find_if(access.from, isSame);
    if (known == access.from.end()) {
        known = access.from.insert(known, {.kind = source.kind,
                                           .element = u8(value.element),
                                           .lanes = {},
                                           .pc = kNoPc,
                                           .warp = {},
                                           .step = 0,
                                           .ofLanes = {}});
        if (source.at) {
            known->warp = source.at->warp, known->step = source.at->step;
            known->pc = block.warps[known->warp.value].steps[known->step].pc;
        }
    }
    known->lanes = known->lanes | LaneMask::of(value.thread.lane);
    if (source.at) known->ofLanes.push_back(source.at->lane);
}

void leaveOutTheirOwn(AccessFlow::From& from) {
    std::size_t at = 0;
    bool isOwn = true;
    for (const Lane lane : from.lanes)
        isOwn = isOwn && at < from.ofLanes.size() && from.ofLanes[at++] == lane;
    if (isOwn) from.ofLanes.clear();
}

}  // namespace

AccessFlows accessFlows(const ptx::Module& module, const trace::FocusBlock& block, const BlockFlow& flow,
                        std::size_t most) {
    AccessFlows flows;
    forEachMovingAccess(block, [&](Warp warp, u32 step, const trace::StoredAccess& access) {
        if (flows.accesses.size() == most) return (void)++flows.leftOut;
        AccessFlow& made = flows.accesses.emplace_back(AccessFlow{.warp = warp,
                                                                  .step = step,
                                                                  .pc = access.pc,
                                                                  .space = access.space,
                                                                  .kind = access.kind,
                                                                  .from = {}});
        forEachValue(module, warp, step, access,
                     [&](const MovedValue& value) { add(made, block, value, sourceOf(flow, value)); });
        std::ranges::for_each(made.from, leaveOutTheirOwn);
    });
    return flows;
}

}  // namespace lockstep::explain
