#include "app/state/verdicts.h"

#include "base/text/counted.h"
#include "base/text/punctuation.h"
#include "base/text/quantities.h"
#include "base/text/words.h"
#include "explain/numbers.h"
#include "explain/sentences/address_names.h"
#include "explain/sentences/finding_groups.h"
#include "explain/sentences/sample_text.h"
#include "model/profiles/profile_of_card.h"
#include "viz/cursor/lookup.h"
#include "viz/phrases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep::app {
namespace {

using Sign = Verdict::Sign;

constexpr Words kMatchesCpu = english("Matches the CPU reference");
constexpr Words kElementsCompared = english("{0} {0:element|elements} compared");
constexpr Words kWrongElements = english("{0} {0:element is|elements are} wrong");
constexpr Words kMatchesReference = english("Matches {0}");
constexpr Words kWrongAgainst = english("{0} {0:element is|elements are} wrong against {1}");
constexpr Words kFirstWrong = english("{0} = {1}, not {2}");
constexpr Words kNoFindings = english("No findings");
constexpr Words kNoFindingsInSample = english("No findings in these blocks");
constexpr Words kSample = english("Sample: {0} ran");
constexpr Words kCanceled = english("Canceled: {0} ran");
constexpr Words kSampleHover = english(
    "Counts, lines and findings are of these blocks. The other blocks are proved to do "
    "the same, so that the whole grid's counters are known, too.");
constexpr Words kSampleAloneHover =
    english("Counts, lines and findings are of these blocks. The whole grid's counters are not known: {0}.");
constexpr Words kUnderWay = english("Under way: {0} on screen");
constexpr Words kUnderWayHover =
    english("Counts, lines and findings are of these blocks; those of the whole grid follow.");
constexpr Words kRemarks = english("{0}; no problems");
constexpr Words kStopped = english("Stopped before its end");
constexpr Words kStoppedByLimit = english("Stopped by the time limit");
constexpr Words kStoppedByHand = english("Stopped by hand");
constexpr Words kBlockIsWhole = english("block {0} is complete");
constexpr Words kStoppedHover =
    english("What is shown is what ran until then. On the command line --limit gives a run more seconds.");
constexpr Words kTimeNow = english("{0} on an {1}");
constexpr Words kTimeRecorded = english("{0} on an {1}, from a recording");
// A time that is for the most part that of the launch itself.
constexpr Words kLaunchNow = english("{0}, launch-bound, on an {1}");
constexpr Words kLaunchRecorded = english("{0}, launch-bound (recorded, {1})");
constexpr Words kTimeNowHover = english("Measured just now: median of {0} measurements, CUDA {1}.");
constexpr Words kTimeRecordedHover =
    english("Recorded on {2}, on an {3}: median of {0} measurements, CUDA {1}.");

// A remark is no fault: it is said without alarm. Where the list was cut off, a fault of every kind is left
// in it.
Verdict findingsVerdict(const run::Run& run, Language language) {
    const explain::FindingTally tally = explain::tallyOf(run.recording.findings, *run.module);
    if (!tally.all())
        return {Sign::Good,
                std::string((run.recording.sample ? kNoFindingsInSample : kNoFindings).in(language))};
    const std::string text = explain::inBrief(tally).in(language),
                      whole = explain::describe(tally).in(language);
    if (tally.problems) return {Sign::Problem, text, whole, "findings"};
    return {Sign::Remark, say(language, kRemarks, text), whole, "findings"};
}

// Of the buffers that hold the kernel's results.
u64 elementsOfResults(const run::Run& run) {
    u64 elements = 0;
    if (!run.catalog || !run.catalog->variant) return elements;
    const std::vector<catalog::BufferTemplate>& buffers = run.catalog->variant->buffers;
    for (std::size_t b = 0; b < std::min(buffers.size(), run.recording.final.size()); ++b)
        if (buffers[b].output) elements += run.recording.final[b].count();
    return elements;
}

// The user's or the limit's end of a run is no fault of the kernel's; what was recorded of the block on show
// may be whole all the same.
Verdict stoppedVerdict(const run::Run& run, const viz::Cursor& cursor, Language language) {
    const std::vector<trace::Finding>& findings = run.recording.findings;
    const auto stop = std::ranges::find_if(findings, explain::isStop);
    if (stop == findings.end()) return {Sign::Problem, std::string(kStopped.in(language))};
    std::string text((stop->detail.empty() ? kStoppedByLimit : kStoppedByHand).in(language));
    const bool isWhole = std::ranges::none_of(findings, [&](const trace::Finding& finding) {
        return explain::isStop(finding) && finding.launch == cursor.launch &&
               finding.who.block == cursor.block;
    });
    const trace::FocusBlock* block = run.recording.trace.find(cursor.launch, cursor.block);
    if (isWhole && block && viz::stepsOfWarp(run, cursor) > 0)
        text +=
            semicolon(language) + say(language, kBlockIsWhole,
                                      viz::coordinates(cursor.block, viz::launchOf(run, cursor.launch).grid));
    return {Sign::Note, std::move(text), std::string(kStoppedHover.in(language))};
}

Verdict sampleVerdict(const run::Run& run, const trace::Sample& sample, Language language) {
    const std::string blocks = explain::blocksOf(sample).in(language);
    if (sample.unproved == trace::Unproved::UnderWay)
        return {Sign::Remark, say(language, kUnderWay, blocks), std::string(kUnderWayHover.in(language))};
    const Message why = explain::whyNotExtrapolated(sample, *run.module);
    const bool isCanceled = sample.unproved == trace::Unproved::Stopped;
    return {Sign::Remark, say(language, isCanceled ? kCanceled : kSample, blocks),
            why.empty() ? std::string(kSampleHover.in(language))
                        : say(language, kSampleAloneHover, why.in(language))};
}

// What the results were compared with; empty: the CPU's. It may be broken into lines behind each comma.
std::string referenceOf(const run::Run& run) {
    std::string text;
    if (run.recording.check)
        for (const char c : run.recording.check->reference)
            text += c == ',' ? std::string(", ") : std::string(1, c);
    return text;
}

// As far as the card's profile knows what a launch takes.
bool isMostlyLaunch(const run::Measured& measured, std::size_t launches) {
    const model::Profile* card = model::timedProfileOf(measured.computeCapability);
    return card && card->speed->isMostlyLaunch(measured.timing->kernel.median /
                                               f64(std::max<std::size_t>(launches, 1)));
}

}  // namespace

std::vector<Verdict> verdictsOf(const run::Run& run, const viz::Cursor& cursor, Language language) {
    std::vector<Verdict> verdicts;
    if (run.recording.sample) verdicts.push_back(sampleVerdict(run, *run.recording.sample, language));
    if (!run.recording.complete) verdicts.push_back(stoppedVerdict(run, cursor, language));
    const std::string reference = referenceOf(run);
    if (run.comparison && run.comparison->correct && !reference.empty()) {
        verdicts.push_back({Sign::Good, say(language, kMatchesReference, reference)});
    } else if (run.comparison && run.comparison->correct) {
        verdicts.push_back({Sign::Good, std::string(kMatchesCpu.in(language)),
                            say(language, kElementsCompared, grouped(elementsOfResults(run)))});
    } else if (run.comparison) {
        std::string text = reference.empty()
                               ? say(language, kWrongElements, grouped(run.comparison->wrongCount))
                               : say(language, kWrongAgainst, grouped(run.comparison->wrongCount), reference);
        if (const auto& first = run.comparison->first)
            text += colon(language),
                text += say(language, kFirstWrong,
                            explain::nameOfElement(run.recording.final, first->buffer, first->index),
                            explain::elementText(run.recording.final, first->buffer, first->got),
                            explain::elementText(run.recording.final, first->buffer, first->want));
        verdicts.push_back({Sign::Wrong, text});
    }
    // Of a run that was stopped there may have been more to find.
    if (run.recording.complete || explain::countOf(run.recording.findings).all())
        verdicts.push_back(findingsVerdict(run, language));
    if (run.measured && run.measured->timing) {
        const run::Measured& measured = *run.measured;
        const f64 median = measured.timing->kernel.median;
        const std::string time = timeText(median);
        const u32 runs = measured.timing->kernel.runs;
        const bool isNow = measured.recording.empty(),
                   isLaunch = isMostlyLaunch(measured, run.recording.launches.size());
        const Words& said =
            isNow ? (isLaunch ? kLaunchNow : kTimeNow) : (isLaunch ? kLaunchRecorded : kTimeRecorded);
        verdicts.push_back(
            {Sign::Note, say(language, said, time, measured.device),
             isNow ? say(language, kTimeNowHover, runs, viz::cudaText(language, measured.driver))
                   : say(language, kTimeRecordedHover, runs, viz::cudaText(language, measured.driver),
                         measured.date, measured.device)});
    }
    return verdicts;
}

}  // namespace lockstep::app
