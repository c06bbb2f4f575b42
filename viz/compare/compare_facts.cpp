#include "viz/compare/compare_facts.h"

#include "base/text/counted.h"
#include "base/text/punctuation.h"
#include "base/text/quantities.h"
#include "explain/comparison/difference.h"
#include "explain/sentences/finding_groups.h"
#include "run/machine/machine_run.h"
#include "run/recordings/times_facts.h"
#include "viz/cursor/lookup.h"
#include "viz/messages.h"
#include "viz/phrases.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep::viz {
namespace {

// "G80, 2^22 int32" of "G80, 2^22 int32, block 128, published by ...".
std::string upToSecondComma(const std::string& text) {
    const auto commaFrom = [&](std::size_t at) { return std::min(text.find(',', at), text.find("，", at)); };
    const std::size_t first = commaFrom(0);
    return first == std::string::npos ? text : text.substr(0, commaFrom(first + 1));
}

using namespace message;
using explain::Difference;

bool isShownBy(const ViewRow& view, const std::string& key) {
    return std::ranges::any_of(view.explains,
                               [&](std::string_view part) { return key.find(part) != std::string::npos; });
}

// How much a difference tells: its factor, as a power of two. What one of the runs does not have at all has
// no factor; where it is a cost, its absence is what such a kernel is written for, else it only says that the
// kernel works in another way.
f64 weightOf(const Difference& d) {
    if (d.a > 0 && d.b > 0) return std::abs(std::log2(d.b / d.a));
    const bool isCost =
        d.metric.find("conflicts") != std::string::npos || d.metric.find("divergent") != std::string::npos;
    return isCost ? std::log2(1 + std::max(d.a, d.b)) : 0.5;
}

// What a difference is about: where warps diverge so much that lanes idle, that comes first; memory moved,
// passes and instructions cost time; conflicts and what comes to a request say why; how many requests there
// are says least.
enum class Concern : u8 { Idling, Cost, Reason, SmallCost, Rest };
constexpr std::string_view kDivergences = "ptx__branches_divergent",
                           kWorkingLanes = "threads_per_warp_instruction";
Concern concernOf(const Difference& d, bool lanesIdle) {
    if (lanesIdle && (d.metric == kDivergences || d.metric == kWorkingLanes)) return Concern::Idling;
    struct Row {
        std::string_view part;
        Concern concern;
    };
    constexpr std::array kRows{Row{"lookup", Concern::Rest},         Row{"requests", Concern::Rest},
                               Row{"conflicts", Concern::Reason},    Row{"_per_", Concern::Reason},
                               Row{"divergent", Concern::Reason},    Row{"thread_inst", Concern::Rest},
                               Row{"sectors", Concern::Cost},        Row{"wavefronts", Concern::Cost},
                               Row{"__inst_executed", Concern::Cost}};
    const auto found = std::ranges::find_if(
        kRows, [&](const Row& row) { return d.metric.find(row.part) != std::string::npos; });
    if (found == kRows.end()) return Concern::Rest;
    constexpr f64 kSmall = 1.25;  // a factor below which a cost explains less than its reasons
    return found->concern == Concern::Cost && d.a > 0 && d.b > 0 && weightOf(d) < std::log2(kSmall)
               ? Concern::SmallCost
               : found->concern;
}

constexpr Words kFindingsOfEach = english("findings");
constexpr Words kCasesFound = english("cases of findings");
constexpr Words kMeasuredInBrief = english("measured, {0}: {1}");
constexpr Words kTimeAndFactor = english("{0}, {1}");
constexpr Words kNoneInA = english("none in A");
constexpr Words kNoneInB = english("none in B");
constexpr Words kFindingsOfBoth = english("A: {0}. B: {1}. See Findings.");
constexpr Words kThatIsBytes = english("That is {0} instead of {1}.");
constexpr Words kMeasuredBytes = english("Measured in bytes: {0} instead of {1}.");
constexpr Words kCountedOn = english("Counted on {0}.");
constexpr Words kClockEach =
    english("Each wavefront keeps the shared memory of an SM busy for at least one clock cycle.");

// Whether the warps of one of them diverge more often, and a telling part of their lanes is idle for it.
bool doLanesIdle(const std::vector<Difference>& differences) {
    constexpr f64 kTelling = 1.1;  // a factor of the lanes that work
    const auto lanes = std::ranges::find(differences, kWorkingLanes, &Difference::metric);
    return lanes != differences.end() && weightOf(*lanes) >= std::log2(kTelling) &&
           std::ranges::find(differences, kDivergences, &Difference::metric) != differences.end();
}

// The price of what differs, in what the hardware does: of the numbers said last.
std::string priceOf(Language language, const Difference& d, f64 a, f64 b, bool areMeasured) {
    if (const Concern concern = concernOf(d, false);
        concern != Concern::Cost && concern != Concern::SmallCost)
        return {};
    constexpr f64 kSectorBytes = 32;
    if (a == b) return {};
    const std::string between = sentenceGap(language);
    // Of atomics ncu counts accesses of sectors, which are no amount of data.
    const bool isAtomic = d.metric.ends_with("_op_red") || d.metric.ends_with("_op_atom");
    if (d.metric.find("sectors") != std::string::npos)
        return isAtomic ? std::string()
                        : between + say(language, areMeasured ? kMeasuredBytes : kThatIsBytes,
                                        bytesBeside(b * kSectorBytes, a * kSectorBytes),
                                        bytesBeside(a * kSectorBytes, b * kSectorBytes));
    return d.metric.find("wavefronts") != std::string::npos ? between + std::string(kClockEach.in(language))
                                                            : std::string();
}

std::string figureText(f64 value) {
    return value == std::floor(value) ? grouped(u64(value)) : fmt::format("{:.2f}", value);
}

// Of both, where one thing holds for both.
std::string whoSaysWhatRuns(const ViewInput& in) {
    const bool a = run::hasMachineCode(in.run), b = run::hasMachineCode(in.compared->run);
    return sentenceGap(in.language) + (a == b ? std::string(whoSaysSo(a).in(in.language))
                                              : say(in.language, kOneModelledSo, a ? "B" : "A"));
}

// source: who says what the compiler did, of accesses that it merges; it goes with the figures alone.
std::string sentenceOf(const ViewInput& in, const Difference& d, const std::string& source) {
    const std::optional<run::Measured>&a = in.run.measured, &b = in.compared->run.measured;
    if (a && b && a->device == b->device)
        if (const auto counted = explain::countedOtherwise(d, a->counters, b->counters))
            return explain::predictedAndMeasured(d, *counted).in(in.language) + source +
                   priceOf(in.language, d, counted->a, counted->b, true);
    return d.sentence.in(in.language) + source + priceOf(in.language, d, d.a, d.b, false);
}

constexpr std::string_view kOfMachine = "smsp__inst_executed", kOfPtx = "ptx__inst_executed";

// Where one GPU has counted both: what the machine executes, beside what the PTX says.
std::optional<Difference> differenceOfMachine(const ViewInput& in) {
    const std::optional<run::Measured>&a = in.run.measured, &b = in.compared->run.measured;
    return a && b && a->device == b->device
               ? explain::differenceOfCounted(kOfMachine, a->counters, b->counters)
               : std::nullopt;
}

// A short table shows the first of them: behind the one that tells most come the conflicts, in whatever view,
// and the PTX instructions stand below the machine's.
void putForward(std::vector<Difference>& differences, bool lanesIdle) {
    if (differences.empty()) return;
    const auto rest =
        std::ranges::find_if(differences.begin() + 1, differences.end(),
                             [&](const Difference& d) { return concernOf(d, lanesIdle) != Concern::Idling; });
    std::stable_partition(rest, differences.end(), [](const Difference& d) {
        return d.metric.find("conflicts") != std::string::npos;
    });
    const auto machine = std::ranges::find(differences, kOfMachine, &Difference::metric),
               ptx = std::ranges::find(differences, kOfPtx, &Difference::metric);
    if (machine == differences.end() || ptx == differences.end()) return;
    if (ptx < machine)
        std::rotate(ptx, ptx + 1, machine + 1);
    else
        std::rotate(machine + 1, ptx, ptx + 1);
}

std::vector<ComparedFigure> countedFigures(const ViewInput& in, const ViewRow& view) {
    std::vector<Difference> differences = explain::differencesOf(in.run.report, in.compared->run.report);
    const bool lanesIdle = doLanesIdle(differences);
    if (std::optional<Difference> machine = differenceOfMachine(in))
        differences.push_back(std::move(*machine));
    std::ranges::stable_sort(differences, [&](const Difference& x, const Difference& y) {
        const bool first = isShownBy(view, x.metric), second = isShownBy(view, y.metric);
        if (first != second) return first;
        const Concern ofX = concernOf(x, lanesIdle), ofY = concernOf(y, lanesIdle);
        if (ofX == Concern::Idling && ofY == Concern::Idling)
            return x.metric == kDivergences && y.metric != kDivergences;
        return ofX != ofY ? ofX < ofY : weightOf(x) > weightOf(y);
    });
    putForward(differences, lanesIdle);
    const std::string source = whoSaysWhatRuns(in);
    std::vector<ComparedFigure> figures;
    for (const Difference& d : differences) {
        const bool isTheCompilers =
            d.metric.find("mem_shared") != std::string::npos;  // it merges such accesses
        std::string sentence = sentenceOf(in, d, isTheCompilers ? source : std::string());
        if (d.metric == kOfMachine)
            sentence += sentenceGap(in.language) + say(in.language, kCountedOn, in.run.measured->device);
        figures.push_back({std::string(d.what.in(in.language)), figureText(d.a), figureText(d.b),
                           d.change.in(in.language), std::move(sentence)});
    }
    return figures;
}

// What tells more than any figure: that one of them is wrong.
std::optional<ComparedFigure> findingsFigure(const ViewInput& in) {
    const explain::FindingTally ofA = explain::tallyOf(in.run.recording.findings, *in.run.module),
                                ofB = explain::tallyOf(in.compared->run.recording.findings,
                                                       *in.compared->run.module);
    if (ofA.all() == ofB.all() && ofA.found.all() == ofB.found.all()) return std::nullopt;
    // Of as many problems, how often they were found.
    const bool sameProblems = ofA.all() == ofB.all();
    const u64 a = sameProblems ? ofA.found.all() : ofA.all(), b = sameProblems ? ofB.found.all() : ofB.all();
    const std::string change = a == 0   ? say(in.language, kNoneInA)
                               : b == 0 ? say(in.language, kNoneInB)
                                        : explain::changeInWords(f64(a), f64(b)).in(in.language);
    return ComparedFigure{say(in.language, sameProblems ? kCasesFound : kFindingsOfEach), grouped(a),
                          grouped(b), change,
                          say(in.language, kFindingsOfBoth, explain::describe(ofA).in(in.language),
                              explain::describe(ofB).in(in.language))};
}

std::string timesAsFast(Language language, f64 a, f64 b) {
    const f64 ratio = std::max(a, b) / std::min(a, b);
    if (ratio < 1.005) return "=";
    return say(language, b <= a ? kTimesFaster : kTimesSlower, threeDigits(ratio));
}

constexpr const char* kNoFactor = "–";  // between times that were measured in two ways

ComparedFigure timeFigure(Language language, const std::string& what, f64 a, f64 b) {
    const std::string change = timesAsFast(language, a, b);
    return {what, timeText(a), timeText(b), change, what};
}

struct Timed {
    std::string device;
    run::KernelTiming timing;
};

// Of this run itself, where a GPU made it; else of its variant at its size in a recording.
std::optional<Timed> timeOf(const run::Run& run, const std::vector<run::RecordedMachine>* machines) {
    if (run.measured && run.measured->timing) return Timed{run.measured->device, *run.measured->timing};
    if (!run.catalog || !run.catalog->variant || !machines) return std::nullopt;
    const std::optional<run::TimesFacts> facts = run::timesFacts(*run.catalog, *machines, 0);
    if (!facts || !facts->isTheRuns) return std::nullopt;
    const auto found = std::ranges::find(facts->kernels, run.catalog->variant, &run::TimedKernel::variant);
    if (found == facts->kernels.end() || !found->run || found->milliseconds <= 0) return std::nullopt;
    return Timed{facts->machine->recording.device, *found->run->measured.timing};
}

// Without its maker's name: a heading is short.
std::string_view modelOf(std::string_view device) {
    constexpr std::string_view kMaker = "NVIDIA ";
    return device.starts_with(kMaker) ? device.substr(kMaker.size()) : device;
}

std::vector<ComparedFigure> timedFigures(CompareFacts& facts, const ViewInput& in) {
    std::vector<ComparedFigure> figures;
    const auto a = timeOf(in.run, in.machines), b = timeOf(in.compared->run, in.machines);
    if (a && b && a->device == b->device) {
        const f64 ofA = a->timing.kernel.median, ofB = b->timing.kernel.median;
        ComparedFigure& times =
            figures.emplace_back(timeFigure(in.language, say(in.language, kTimeOn, a->device), ofA, ofB));
        if (!run::areTimedAlike(a->timing, b->timing)) times.change = kNoFactor;
        facts.timeOfA = say(in.language, kMeasuredInBrief, modelOf(a->device), timeText(ofA));
        facts.timeOfB = timeText(ofB);
        if (times.change != "=" && times.change != kNoFactor)
            facts.timeOfB = say(in.language, kTimeAndFactor, facts.timeOfB, times.change);
    }
    const auto &one = in.run.catalog, &other = in.compared->run.catalog;
    if (one && other && one->family == other->family && one->variant && other->variant &&
        one->variant != other->variant && one->variant->published && other->variant->published) {
        // Where and of what, in full where the mouse is; in the table the device and the size.
        const std::string on(one->family->publishedOn.in(in.language));
        ComparedFigure figure =
            timeFigure(in.language, say(in.language, kPublishedTime, upToSecondComma(on)),
                       one->variant->published->milliseconds, other->variant->published->milliseconds);
        figure.hover = say(in.language, kPublishedTime, on);
        figures.push_back(std::move(figure));
    }
    return figures;
}

std::string nameOf(const run::Run& run, Language language) {
    if (run.catalog && run.catalog->variant) return std::string(run.catalog->variant->title.in(language));
    return std::string(explain::fileName(run.source));
}

std::string listed(const catalog::Experiment& experiment, auto&& wanted) {
    std::string text;
    if (!experiment.variant) return text;
    for (const std::string& name : experiment.variant->parameters) {
        const auto value = experiment.values.find(name);
        const catalog::Parameter* parameter = experiment.family->findParameter(name);
        if (value == experiment.values.end() || !parameter || !wanted(name)) continue;
        text += (text.empty() ? "" : " · ") + name + " " + parameter->shown(value->second);
    }
    return text;
}

// Names and sizes; what the two have in common is said once.
void name(CompareFacts& facts, const ViewInput& in) {
    facts.nameA = nameOf(in.run, in.language);
    facts.nameB = nameOf(in.compared->run, in.language);
    if (!in.run.catalog || !in.compared->run.catalog) return;
    const catalog::Experiment &a = *in.run.catalog, &b = *in.compared->run.catalog;
    const auto differs = [&](const std::string& parameter) {
        const auto inA = a.values.find(parameter), inB = b.values.find(parameter);
        return inA == a.values.end() || inB == b.values.end() || inA->second != inB->second;
    };
    const std::string ownA = listed(a, differs), ownB = listed(b, differs);
    const bool sameName = facts.nameA == facts.nameB;
    facts.common = (sameName ? facts.nameA : "");
    const auto join = [&](std::string& to, const std::string& more) {
        to += (to.empty() || more.empty() ? "" : " · ") + more;
    };
    join(facts.common, listed(a, [&](const std::string& parameter) { return !differs(parameter); }));
    if (a.family && a.family == b.family) {
        std::string whole(a.family->title.in(in.language));
        join(whole, facts.common);
        facts.common = whole;
    }
    if (sameName && !ownA.empty()) facts.nameA.clear(), facts.nameB.clear();
    join(facts.nameA, ownA);
    join(facts.nameB, ownB);
}

}  // namespace

CompareFacts compareFacts(const ViewInput& in, const ViewRow& view) {
    CompareFacts facts;
    name(facts, in);
    facts.counted = countedFigures(in, view);
    if (std::optional<ComparedFigure> mistakes = findingsFigure(in))
        facts.counted.insert(facts.counted.begin(), std::move(*mistakes));
    for (const auto& [metric, value] : in.run.report.counters) {
        const auto other = in.compared->run.report.counters.find(metric);
        facts.same += value > 0 && other != in.compared->run.report.counters.end() && other->second == value;
    }
    facts.lines =
        explain::sourceDifference(in.run, in.cursor.launch, in.compared->run, in.compared->cursor.launch);
    facts.timed = timedFigures(facts, in);
    return facts;
}

}  // namespace lockstep::viz
