#include "viz/finding_groups.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace lockstep::viz {
namespace {

// A list that was cut off says so at its end.
u32 rankOf(trace::FindingKind kind) { return kind == trace::FindingKind::Truncated ? 2 : trace::isRemark(kind) ? 1 : 0; }

}  // namespace

std::vector<FindingGroup> groupFindings(std::span<const trace::Finding> findings) {
    using Key = std::tuple<trace::FindingKind, u32, u32, u32, s32>;
    std::map<Key, std::size_t> known;
    std::vector<FindingGroup> groups;
    for (const trace::Finding& finding : findings) {
        const Key key{finding.kind, finding.launch.value, finding.who.pc.value, finding.other ? finding.other->pc.value : kNoPc.value, finding.buffer};
        const auto [at, isNew] = known.try_emplace(key, groups.size());
        if (isNew) groups.emplace_back();
        groups[at->second].findings.push_back(&finding);
    }
    std::ranges::stable_sort(groups, {}, [](const FindingGroup& group) { return rankOf(group.first().kind); });
    return groups;
}

}  // namespace lockstep::viz
