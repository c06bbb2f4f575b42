// Be the machine: place a barrier. The kernel is run with it, and what that run finds is the verdict: any
// place that leaves nothing to find is right.
#include "explain/findings/finding_at.h"
#include "lessons/answer_text.h"
#include "lessons/barrier_trial.h"
#include "lessons/kinds.h"

#include <algorithm>

namespace lockstep::lessons {
namespace {

constexpr Words kBarrierLine = english("the number of the line behind which the barrier goes");

Expected<std::string> truthOfBarrier(const AskedStep& asked) {
    const PlaceOnShow& on = asked.on();
    if (isClean(*on.run))
        return fail(
            FaultKind::Usage,
            english("nothing is found in this kernel: it needs no barrier, and any place would be right"));
    for (const u32 line : linesForBarrier(*on.run))
        if (const auto run = on.facts->withBarrier(line); run && isClean(**run)) return std::to_string(line);
    for (const trace::Finding& finding : on.run->recording.findings)
        if (finding.kind == trace::FindingKind::OutOfBounds)
            return fail(FaultKind::Usage, Message(english("no single barrier makes this kernel right: {0}"),
                                                  explain::occurrenceOf(*on.run, finding)));
    return fail(FaultKind::Usage, english("no single barrier makes this kernel right"));
}

// From the run with the barrier.
Message reasonOf(const run::Run& run, u32 line) {
    const Message there(english("With a barrier behind line {0}:"), std::to_string(line));
    for (const bool remarks : {false, true})
        for (const trace::Finding& finding : run.recording.findings)
            if (trace::isRemark(finding.kind) == remarks && finding.kind != trace::FindingKind::Truncated)
                return joined(there, explain::occurrenceOf(run, finding));
    return joined(there, Message(english("{0} {0:element differs|elements differ} from the CPU's result."),
                                 run.comparison ? run.comparison->wrongCount : 0));
}

Expected<Judged> judgeBarrier(const AskedStep& asked, std::string_view answer) {
    const std::optional<s64> given = numberAmongWords(answer);
    const std::vector<u32> lines = linesForBarrier(*asked.on().run);
    if (!given) return unreadable(kBarrierLine);
    const std::string plain = std::to_string(*given);
    const u32 place = lineForBarrier(*asked.on().run, *given > 0 ? u32(std::min<s64>(*given, ~0u)) : 0);
    if (std::ranges::find(lines, place) == lines.end())
        return wrong(plain,
                     Message(english("No barrier can stand behind line {0}: there ends no statement of the "
                                     "kernel."),
                             plain));
    const auto run = asked.on().facts->withBarrier(place);
    if (!run) return wrong(plain, run.error().message);
    Judged judged = isClean(**run) ? right(plain) : wrong(plain, reasonOf(**run, u32(*given)));
    judged.answer = *given;
    return judged;
}

std::vector<std::string> usualBarriers(const AskedStep& asked) {
    std::vector<std::string> all;
    for (const u32 line : linesForBarrier(*asked.on().run))
        all.push_back(std::to_string(line));
    if (all.size() > 1) std::ranges::rotate(all, all.end() - 1);
    all.emplace_back("1");
    return all;
}

}  // namespace

QuestionKind barrierKind() {
    return {"barrier", kBarrierLine, {}, truthOfBarrier, judgeBarrier, nullptr, usualBarriers};
}

}  // namespace lockstep::lessons
