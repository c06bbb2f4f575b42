#include "app/panels/verdicts.h"

#include "app/panels/words.h"
#include "base/counted.h"
#include "model/finding_groups.h"
#include "model/words.h"
#include "run/run.h"
#include "viz/lookup.h"
#include "viz/profile_of_card.h"
#include "viz/punctuation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep::app {
namespace {

using viz::RoleKind;

// A remark is no fault: it is said without alarm. Where the list was cut off, a fault of every kind is left
// in it.
Verdict findingsVerdict(const run::Run& run, Language language) {
    const model::FindingTally tally = model::tallyOf(run.recording.findings, *run.module);
    if (!tally.all()) return {Icon::Check, RoleKind::Text, std::string(words::kNoFindings.in(language))};
    const std::string text = model::inBrief(tally).in(language), whole = model::describe(tally).in(language);
    if (tally.problems) return {Icon::Warning, RoleKind::Finding, text, whole};
    return {Icon::Warning, RoleKind::TextSecond, say(language, words::kRemarks, text), whole};
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
Verdict stoppedVerdict(const State& state) {
    const Language language = state.language;
    const std::vector<trace::Finding>& findings = state.run->recording.findings;
    const auto stop = std::ranges::find_if(findings, model::isStop);
    if (stop == findings.end())
        return {Icon::Warning, RoleKind::Finding, std::string(words::kStopped.in(language))};
    std::string text((stop->detail.empty() ? words::kStoppedByLimit : words::kStoppedByHand).in(language));
    const bool isWhole = std::ranges::none_of(findings, [&](const trace::Finding& finding) {
        return model::isStop(finding) && finding.launch == state.cursor.launch &&
               finding.who.block == state.cursor.block;
    });
    const trace::FocusBlock* block = state.run->recording.trace.find(state.cursor.launch, state.cursor.block);
    if (isWhole && block && viz::stepsOfWarp(*state.run, state.cursor) > 0)
        text +=
            viz::semicolon(language) +
            say(language, words::kBlockIsWhole,
                viz::coordinates(state.cursor.block, viz::launchOf(*state.run, state.cursor.launch).grid));
    return {Icon::Clock, RoleKind::TextSecond, std::move(text),
            std::string(words::kStoppedHover.in(language))};
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
bool isMostlyLaunch(const run::Measured& measured) {
    const model::Profile* card = viz::timedProfileOf(measured.computeCapability);
    return card && card->speed->isMostlyLaunch(measured.timing->kernel.median);
}

// As many digits as a float has: "38.63662".
std::string resultText(f64 value) {
    constexpr f64 kMostWhole = 1e15;
    return std::abs(value) < kMostWhole && value == std::floor(value) ? fmt::format("{:.0f}", value)
                                                                      : fmt::format("{:.7g}", value);
}

}  // namespace

std::vector<Verdict> verdictsOf(const State& state) {
    const run::Run& run = *state.run;
    const Language language = state.language;
    std::vector<Verdict> verdicts;
    if (!run.recording.complete) verdicts.push_back(stoppedVerdict(state));
    const std::string reference = referenceOf(run);
    if (run.comparison && run.comparison->correct && !reference.empty()) {
        verdicts.push_back({Icon::Check, RoleKind::Text, say(language, words::kMatchesReference, reference)});
    } else if (run.comparison && run.comparison->correct) {
        verdicts.push_back({Icon::Check, RoleKind::Text, std::string(words::kMatchesCpu.in(language)),
                            say(language, words::kElementsCompared, grouped(elementsOfResults(run)))});
    } else if (run.comparison) {
        std::string text =
            reference.empty()
                ? say(language, words::kWrongElements, grouped(run.comparison->wrongCount))
                : say(language, words::kWrongAgainst, grouped(run.comparison->wrongCount), reference);
        if (const auto& first = run.comparison->first)
            text += viz::colon(language),
                text += say(language, words::kFirstWrong, first->buffer, first->index, resultText(first->got),
                            resultText(first->want));
        verdicts.push_back({Icon::Cross, RoleKind::Finding, text});
    }
    // Of a run that was stopped there may have been more to find.
    if (run.recording.complete || model::countOf(run.recording.findings).all())
        verdicts.push_back(findingsVerdict(run, language));
    if (run.measured && run.measured->timing) {
        const run::Measured& measured = *run.measured;
        const f64 median = measured.timing->kernel.median;
        const std::string time = fmt::format("{:.{}f}", median, median < 0.1 ? 5 : median < 10 ? 3 : 1);
        const u32 runs = measured.timing->kernel.runs;
        const bool isNow = measured.recording.empty(), isLaunch = isMostlyLaunch(measured);
        const Words& said = isNow ? (isLaunch ? words::kLaunchNow : words::kTimeNow)
                                  : (isLaunch ? words::kLaunchRecorded : words::kTimeRecorded);
        verdicts.push_back({Icon::Clock, RoleKind::TextSecond, say(language, said, time, measured.device),
                            isNow ? say(language, words::kTimeNowHover, runs, measured.driver)
                                  : say(language, words::kTimeRecordedHover, runs, measured.driver,
                                        measured.date, measured.device)});
    }
    return verdicts;
}

std::string traceOf(const State& state) {
    const run::Run& run = *state.run;
    const Words& source = run.traceSource == "gpu"         ? words::kGpu
                          : run.traceSource == "recording" ? words::kTraceRecording
                                                           : words::kTraceEmulator;
    return say(state.language, words::kTraceBy, source.in(state.language));
}

std::string traceHover(const State& state) {
    std::string text(words::kTraceHover.in(state.language));
    for (const Fault& note : state.run->notes)
        text += "\n" + describe(note, state.language);
    return text;
}

}  // namespace lockstep::app
