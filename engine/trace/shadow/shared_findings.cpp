#include "trace/shadow/shared_findings.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace lockstep::trace {

SharedFindings::InAccess* SharedFindings::find(const InAccess& of) {
    const auto [first, end] = byPlace_.equal_range(placeOf(of));
    for (auto known = first; known != end; ++known)
        if (accesses_[known->second].lanes == of.lanes) return &accesses_[known->second];
    return nullptr;
}

bool SharedFindings::add(const SharedFindings& others) {
    return std::ranges::all_of(others.accesses_, [&](const InAccess& of) {
        return add(of, [&](u32 lane) { return others.inLane(of, lane); });
    });
}

u64 SharedFindings::distinct() const {
    std::map<std::tuple<FindingKind, Pc, u32>, u32> lanes;
    for (const InAccess& of : accesses_)
        lanes[{of.kind, of.pc, of.warp}] |= of.lanes.bits;
    u64 count = 0;
    for (const auto& [place, bits] : lanes)
        count += LaneMask{bits}.count();
    return count;
}

std::vector<FindingCollector::Place> SharedFindings::places() const {
    std::vector<FindingCollector::Place> places;
    for (const InAccess& of : accesses_)
        if (const FindingCollector::Place place{of.kind, of.pc};
            std::ranges::find(places, place) == places.end())
            places.push_back(place);
    return places;
}

bool SharedFindings::givePoison() const {
    const auto gives = [](const InAccess& of) { return of.kind == FindingKind::UninitializedRead; };
    return std::ranges::any_of(accesses_, gives);
}

}  // namespace lockstep::trace
