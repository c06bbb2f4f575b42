#include "explain/sentences/finding_groups.h"

#include "base/text/counted.h"
#include "explain/sentences/finding_text.h"
#include "model/source_line.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

namespace lockstep::explain {
namespace {

using trace::Finding;
using trace::FindingKind;

// A list that was cut off says so at its end.
u32 rankOf(FindingKind kind) { return kind == FindingKind::Truncated ? 2 : trace::isRemark(kind) ? 1 : 0; }

// A compiler unrolls loops: what the source has once is at many instructions.
struct Place {
    u32 file = 0, line = 0, pc = kNoPc.value;
    auto operator<=>(const Place&) const = default;
};
Place placeOf(const ptx::Module& module, Pc pc) {
    if (pc.value >= module.instructions.size()) return {};
    const model::SourceLine line = model::sourceLineOf(pc, module);
    return line.line ? Place{line.file, line.line, kNoPc.value} : Place{0, 0, pc.value};
}

struct Key {
    FindingKind kind;
    Place one, other;  // in ascending order
    s32 buffer;
    std::string_view array;  // that was left for another one
    auto operator<=>(const Key&) const = default;
};
Key keyOf(const Finding& finding, const ptx::Module& module) {
    const Place a = placeOf(module, finding.who.pc),
                b = placeOf(module, finding.other ? finding.other->pc : kNoPc);
    return {finding.kind, finding.other ? std::min(a, b) : a, finding.other ? std::max(a, b) : b,
            finding.buffer, finding.strayed() ? std::string_view(finding.detail) : std::string_view()};
}

}  // namespace

bool isStop(const Finding& finding) {
    return finding.kind == FindingKind::Limit && (stopReasonOf(finding) == trace::StopReason::TimeLimit ||
                                                  stopReasonOf(finding) == trace::StopReason::Cancelled);
}

FindingCount countOf(std::span<const Finding> findings) {
    const bool isCut = !findings.empty() && findings.back().kind == FindingKind::Truncated;
    return {findings.size() - isCut - u64(std::ranges::count_if(findings, isStop)),
            isCut ? findings.back().count : 0};
}

std::vector<FindingGroup> groupFindings(std::span<const Finding> findings, const ptx::Module& module) {
    std::map<Key, std::size_t> known;
    std::vector<FindingGroup> groups;
    const auto take = [&](FindingKind kind, const Finding& finding, bool mayBegin) {
        Key key = keyOf(finding, module);
        key.kind = kind;
        const auto at = known.find(key);
        if (at != known.end())
            groups[at->second].findings.push_back(&finding);
        else if (mayBegin)
            known.emplace(key, groups.size()), groups.push_back({{&finding}});
        return at != known.end();
    };
    for (const Finding& finding : findings)
        if (!trace::isRemark(finding.kind)) take(finding.kind, finding, true);
    for (const Finding& finding : findings)
        if (trace::isRemark(finding.kind) &&
            !(finding.kind == FindingKind::WarpSynchronous && take(FindingKind::Race, finding, false)))
            take(finding.kind, finding, true);
    std::ranges::stable_sort(groups, {},
                             [](const FindingGroup& group) { return rankOf(group.first().kind); });
    return groups;
}

FindingTally tallyOf(std::span<const Finding> findings, const ptx::Module& module) {
    FindingTally tally{.found = countOf(findings)};
    for (const FindingGroup& group : groupFindings(findings, module)) {
        if (isStop(group.first()) || group.first().kind == FindingKind::Truncated) continue;
        ++(trace::isRemark(group.first().kind) ? tally.remarks : tally.problems);
    }
    return tally;
}

Message inBrief(const FindingTally& tally) {
    const std::string problems = grouped(tally.problems), remarks = grouped(tally.remarks);
    if (!tally.all()) return english("no findings");
    if (!tally.remarks) return Message(english("{0} {0:problem|problems}"), problems);
    if (!tally.problems) return Message(english("{0} {0:warning|warnings}"), remarks);
    return Message(english("{0} {0:problem|problems} and {1} {1:warning|warnings}"), problems, remarks);
}

Message describe(const FindingTally& tally) {
    if (tally.found.all() == tally.all()) return inBrief(tally);
    return Message(tally.found.leftOut ? english("{0}: {1} {1:case|cases}, {2} of them listed")
                                       : english("{0}: {1} {1:case|cases}"),
                   inBrief(tally), grouped(tally.found.all()), grouped(tally.found.listed));
}

Message casesByKind(std::span<const Finding> findings) {
    std::map<FindingKind, u64> cases;
    for (const Finding& finding : findings) {
        if (finding.kind == FindingKind::Truncated) return {};
        if (!isStop(finding)) ++cases[finding.kind];
    }
    if (cases.size() < 2) return {};
    std::vector<Message> kinds;
    for (const auto& [kind, count] : cases)
        kinds.push_back(
            Message(english("what was found, and how often", "{0}: {1}"), titleOf(kind), grouped(count)));
    return listed(kinds);
}

}  // namespace lockstep::explain
