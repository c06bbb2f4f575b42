#include "viz/finding_groups.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "viz/lookup.h"

namespace lockstep::viz {
namespace {

// A list that was cut off says so at its end.
u32 rankOf(trace::FindingKind kind) { return kind == trace::FindingKind::Truncated ? 2 : trace::isRemark(kind) ? 1 : 0; }

// A compiler unrolls loops: what the source has once is at many instructions.
struct Place {
    u32 file = 0, line = 0, pc = kNoPc.value;
    auto operator<=>(const Place&) const = default;
};
Place placeOf(const ptx::Module& module, Pc pc) {
    if (pc == kNoPc) return {};
    const SourceLine line = lineOf(module, pc);
    return line.line ? Place{line.file, line.line, kNoPc.value} : Place{0, 0, pc.value};
}

}  // namespace

std::vector<FindingGroup> groupFindings(std::span<const trace::Finding> findings, const ptx::Module& module) {
    using Key = std::tuple<trace::FindingKind, u32, Place, Place, s32>;
    std::map<Key, std::size_t> known;
    std::vector<FindingGroup> groups;
    for (const trace::Finding& finding : findings) {
        const Key key{finding.kind, finding.launch.value, placeOf(module, finding.who.pc), placeOf(module, finding.other ? finding.other->pc : kNoPc), finding.buffer};
        const auto [at, isNew] = known.try_emplace(key, groups.size());
        if (isNew) groups.emplace_back();
        groups[at->second].findings.push_back(&finding);
    }
    std::ranges::stable_sort(groups, {}, [](const FindingGroup& group) { return rankOf(group.first().kind); });
    return groups;
}

}  // namespace lockstep::viz
