#include "explain/site_flow.h"

#include "explain/moving_accesses.h"

#include <algorithm>
#include <array>
#include <map>

namespace lockstep::explain {
namespace {

using trace::AccessKind, trace::Space, trace::StoredAccess;

class Gatherer {
public:
    Gatherer(const ptx::Module& module, const trace::FocusBlock& block, const BlockFlow& flow)
        : module_(module), block_(block), flow_(flow) {}

    std::vector<SiteFlow> gather() {
        forEachMovingAccess(block_, [&](Warp warp, u32 step, const StoredAccess& access) {
            SiteFlow& site = sites_[{access.pc.value, access.space}];
            site.pc = access.pc, site.space = access.space, site.kind = access.kind;
            forEachValue(module_, warp, step, access, [&](const MovedValue& value) { add(site, value); });
        });
        std::vector<SiteFlow> flows;
        for (auto& [key, site] : sites_) {
            std::ranges::stable_sort(site.stored, std::ranges::greater{}, &SiteFlow::Stored::values);
            std::ranges::stable_sort(site.loaded, std::ranges::greater{}, &SiteFlow::Loaded::values);
            flows.push_back(std::move(site));
        }
        return flows;
    }

private:
    Pc pcOf(ThreadStep at) const { return block_.warps[at.warp.value].steps[at.step].pc; }

    void add(SiteFlow& site, const MovedValue& value) {
        if (value.access->kind == AccessKind::Load)
            addLoaded(site, value.thread, value.element);
        else
            addStored(site, flow_.originOfStored(value.thread, value.element * value.bytes, value.bytes));
    }
    void addStored(SiteFlow& site, const Origin& origin) {
        const Pc pc = origin.kind == Origin::Kind::Unknown ? kNoPc : pcOf(origin.at);
        for (SiteFlow::Stored& known : site.stored)
            if (known.kind == origin.kind && known.pc == pc) return (void)++known.values;
        site.stored.push_back({origin.kind, pc, 1});
    }
    void addLoaded(SiteFlow& site, ThreadStep at, u32 element) {
        const WrittenBy by = flow_.writtenBy(at, element);
        const bool isStore = by.kind == WrittenBy::Kind::Store;
        const Pc pc = isStore ? pcOf(by.at) : kNoPc;
        auto known = std::ranges::find_if(
            site.loaded, [&](const SiteFlow::Loaded& one) { return one.kind == by.kind && one.pc == pc; });
        if (known == site.loaded.end()) known = site.loaded.insert(known, {.kind = by.kind, .pc = pc});
        ++known->values;
        known->ofOtherThreads += isStore && (by.at.warp != at.warp || by.at.lane != at.lane);
    }

    const ptx::Module& module_;
    const trace::FocusBlock& block_;
    const BlockFlow& flow_;
    std::map<std::pair<u32, Space>, SiteFlow> sites_;
};

}  // namespace

std::string_view nameOf(Origin::Kind kind) {
    constexpr std::array<std::string_view, 8> kNames{"load",    "computed", "immediate", "parameter",
                                                     "special", "address",  "nothing",   "unknown"};
    return kNames[std::size_t(kind)];
}
std::string_view nameOf(WrittenBy::Kind kind) {
    constexpr std::array<std::string_view, 4> kNames{"store", "nothing", "several", "unknown"};
    return kNames[std::size_t(kind)];
}

std::vector<SiteFlow> siteFlows(const ptx::Module& module, const trace::FocusBlock& block,
                                const BlockFlow& flow) {
    return Gatherer(module, block, flow).gather();
}

}  // namespace lockstep::explain
