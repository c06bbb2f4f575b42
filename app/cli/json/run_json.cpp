#include "app/cli/json/run_json.h"

#include "app/cli/json/flow_json.h"
#include "app/cli/json/memory_json.h"
#include "app/cli/json/shape_json.h"
#include "app/cli/json/steps_json.h"
#include "base/median.h"
#include "catalog/values/number_text.h"
#include "explain/findings/finding_at.h"
#include "explain/hints/hint_rules.h"
#include "explain/hints/hints.h"
#include "explain/sentences/finding_groups.h"
#include "explain/sentences/sample_text.h"
#include "model/occupancy/bounds.h"
#include "run/find_hints.h"
#include "run/gpu/driver_text.h"
#include "run/machine/machine_run.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace lockstep::cli {
namespace {

// JSON has neither NaN nor infinity: they are strings.
Json number(f64 value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    return value;
}

constexpr const char *kFromMachineCode = "from machine code", *kModelled = "modelled";

const char* sourceOf(bool fromMachineCode) { return fromMachineCode ? kFromMachineCode : kModelled; }

Json launchJson(const run::Run& run, std::size_t number) {
    const Launch& launch = run.recording.launches[number];
    const std::optional<run::Registers> registers = run::registersOf(run, run.profile, number);
    return {{"grid", triple(launch.grid)},
            {"block", triple(launch.block)},
            {"shared_bytes", run::sharedBytes(*run.module, launch)},
            {"registers", registers ? Json(registers->perThread) : Json(nullptr)},
            {"registers_source",
             registers ? Json(registers->fromMachineCode ? kFromMachineCode : "gpu") : Json(nullptr)}};
}

Json wrongJson(const catalog::Comparison& comparison) {
    if (comparison.wrongCount == 0) return nullptr;
    Json wrong{{"count", comparison.wrongCount}};
    if (comparison.first)
        wrong["first"] = {{"buffer", comparison.first->buffer},
                          {"index", comparison.first->index},
                          {"got", number(comparison.first->got)},
                          {"want", number(comparison.first->want)}};
    return wrong;
}

// The machine access that this one was merged into; its wavefronts are only at `first`.
Json mergedJson(const model::SiteReport::Merged& merged) {
    Json members = Json::array();
    for (Pc pc : merged.members)
        members.push_back(pc.value);
    return {{"first", merged.first.value},
            {"members", members},
            {"width", merged.widthBytes},
            {"wavefronts", merged.wavefronts},
            {"ideal_wavefronts", merged.idealWavefronts}};
}

Json siteJson(const model::SiteReport& site) {
    return {{"pc", site.pc.value},
            {"opcode", site.opcode},
            {"text", site.text},
            {"file", site.file},
            {"line", site.line},
            {"space", trace::nameOf(site.space)},
            {"op", trace::nameOf(site.kind)},
            {"width", site.widthBytes},
            {"executions", site.executions},
            {"active_lanes", site.activeLanes},
            {"requests", site.requests},
            {"sectors", site.countsSectors ? Json(site.sectors) : Json(nullptr)},
            {"transactions", site.countsSectors ? Json(nullptr) : Json(site.sectors)},
            {"wavefronts", site.wavefronts},
            {"ideal_wavefronts", site.idealWavefronts},
            {"merged", site.merged ? mergedJson(*site.merged) : Json(nullptr)},
            {"removed", site.removed},
            {"machine_source",
             site.space == trace::Space::Shared ? Json(sourceOf(site.fromMachineCode)) : Json(nullptr)},
            {"launch", site.launch.value}};
}

// The source of `merged` and of the branches' `machine`, what machine code omits, and where the model
// predicted something else.
Json machineJson(const run::Run& run) {
    const run::MachineRun machine = run.machine ? *run.machine : run::MachineRun{};
    const auto place = [&](const model::MachineReport::Place& at) -> Json {
        return {{"launch", at.launch.value}, {"pc", at.pc.value}, {"text", run.module->textOf(at.pc)}};
    };
    Json removed = Json::array(), differences = Json::array();
    for (const model::MachineReport::Place& at : machine.removed)
        removed.push_back(place(at));
    for (const model::MachineReport::Difference& difference : machine.differences) {
        differences.push_back(place(difference.at));
        differences.back().add({{"modelled", difference.modelled}, {"machine", difference.machine}});
    }
    return {{"source", sourceOf(machine.code != nullptr)},
            {"compiler", machine.code ? Json(machine.code->compiler) : Json(nullptr)},
            {"why", machine.why ? Json(describe(*machine.why)) : Json(nullptr)},
            {"removed", removed},
            {"differences", differences}};
}

Json lineJson(const model::LineReport& line) {
    return {{"file", line.file},
            {"line", line.line},
            {"executions", line.executions},
            {"active_lanes", line.activeLanes},
            {"lane_utilization", f64(line.activeLanes) / f64(line.executions * kWarpSize)},
            {"divergent", line.divergent}};
}

Json branchJson(const model::BranchReport& branch) {
    return {{"pc", branch.pc.value},
            {"text", branch.text},
            {"file", branch.file},
            {"line", branch.line},
            {"executions", branch.executions},
            {"active_lanes", branch.activeLanes},
            {"divergent", branch.divergent},
            {"lanes_lost", branch.lanesLost},
            {"machine", model::nameOf(branch.form)},
            {"machine_source", sourceOf(branch.fromMachineCode)},
            {"launch", branch.launch.value}};
}

Json occupancyJson(const model::Occupancy& occupancy) {
    return {{"blocks_per_sm", occupancy.blocksPerSm},
            {"warps_per_sm", occupancy.warpsPerSm},
            {"limited_by", occupancy.limitedBy},
            {"blocks_per_wave", occupancy.blocksPerWave},
            {"waves", occupancy.waves},
            {"blocks_in_last_wave", occupancy.blocksInLastWave}};
}

Json culpritJson(const run::Run& run, const trace::Culprit& culprit) {
    Json json{{"pc", culprit.pc.value},
              {"block", triple(culprit.block)},
              {"thread", triple(culprit.thread)},
              {"op", trace::nameOf(culprit.kind)}};
    if (culprit.pc != kNoPc) {
        const model::SourceLine at = model::sourceLineOf(culprit.pc, *run.module);
        json["file"] = run.module->files[at.file];
        json["line"] = at.line;
    }
    return json;
}

Json findingJson(const run::Run& run, const trace::Finding& finding) {
    const bool hasPlace = finding.who.pc != kNoPc;
    const model::SourceLine at =
        hasPlace ? model::sourceLineOf(finding.who.pc, *run.module) : model::SourceLine{};
    Json json{{"kind", trace::nameOf(finding.kind)},
              {"message", explain::textOf(run, finding).english()},
              {"file", hasPlace ? Json(run.module->files[at.file]) : Json(nullptr)},
              {"line", hasPlace ? Json(at.line) : Json(nullptr)},
              {"pc", hasPlace ? Json(finding.who.pc.value) : Json(nullptr)},
              {"block", triple(finding.who.block)},
              {"thread", triple(finding.who.thread)},
              {"address", finding.address},
              {"count", finding.count},
              {"launch", finding.launch.value}};
    if (finding.other) json["other"] = culpritJson(run, *finding.other);
    return json;
}

Json hintJson(const run::Run& run, const explain::Hint& hint) {
    const explain::HintRule* rule = explain::findHintRule(hint.rule);
    Json json{{"rule", hint.rule},
              {"title", rule ? Json(Message(rule->title).english()) : Json(nullptr)},
              {"file", hint.line.line ? Json(run.module->files[hint.line.file]) : Json(nullptr)},
              {"line", hint.line.line ? Json(hint.line.line) : Json(nullptr)},
              {"pc", hint.pc != kNoPc ? Json(hint.pc.value) : Json(nullptr)},
              {"launch", hint.launch.value},
              {"unit", explain::nameOf(hint.unit)},
              {"excess", hint.excess},
              {"total", hint.total},
              {"share", hint.share()},
              {"counted_in", hint.ofRecorded ? "recorded_blocks" : "grid"},
              {"message", Message(hint.what).english() + " " + explain::shareText(hint).english()},
              {"cure", hint.cure.english()},
              {"source", rule ? Json(rule->source) : Json(nullptr)},
              {"bound_by", hint.boundBy.empty() ? Json(nullptr) : Json(hint.boundBy)},
              {"bound", hint.bound.empty() ? Json(nullptr) : Json(hint.bound.english())},
              {"fix", nullptr}};
    if (hint.fix)
        json["fix"] = {{"variant", hint.fix->variant},
                       {"excess", hint.fix->excess},
                       {"total", hint.fix->total},
                       {"total_here", hint.fix->before},
                       {"command", run::compareCommand(run, *hint.fix)}};
    return json;
}

template <class T, class F> Json list(const std::vector<T>& items, F&& each) {
    Json json = Json::array();
    for (const T& item : items)
        json.push_back(each(item));
    return json;
}

// The lower bounds on time, and the roofline point; null if the profile has no timing figures.
Json boundsJson(const run::Run& run) {
    const std::optional<model::Bounds> bounds = model::boundsOf(
        *run.module, run.recording, run.report, run.emulated ? run.caches : std::nullopt, run.profile);
    if (!bounds) return nullptr;
    const model::RooflinePoint& point = bounds->roofline;
    Json json;
    json["resources"] = list(bounds->all, [](const model::Bound& bound) -> Json {
        return {{"resource", bound.resource},
                {"amount", bound.amount},
                {"unit", bound.unit},
                {"per_second", bound.perSecond},
                {"least_ms", bound.leastMs()}};
    });
    json["without_bound"] = bounds->knowsL2
                                ? Json::array()
                                : Json::array({{{"resource", "l2"}, {"why", "no sourced bandwidth"}}});
    json["binding"] = bounds->binding() ? Json(bounds->binding()->resource) : Json(nullptr);
    json["least_ms"] = bounds->binding() ? Json(bounds->binding()->leastMs()) : Json(nullptr);
    json["sentence"] = model::describe(*bounds, std::nullopt).english();
    json["multiprocessors"] = {
        {"used", bounds->multiprocessors},
        {"device",
         bounds->multiprocessorsOfDevice}};  // arithmetic, shared memory and issue are of those used
    json["roofline"] = {
        {"operations", point.operations},
        {"bytes", point.bytes},
        {"operations_per_byte", point.bytes > 0 ? Json(point.operationsPerByte()) : Json(nullptr)},
        {"peak_operations_per_second", point.peakOperationsPerSecond},
        {"bytes_per_second", point.bytesPerSecond},
        {"attainable_operations_per_second", point.bytes > 0 ? Json(point.attainable()) : Json(nullptr)}};
    return json;
}

// Integers are printed as such.
Json plain(f64 value) {
    return value == std::floor(value) && std::abs(value) < 1e15 ? Json(s64(value)) : number(value);
}

Json countersJson(const std::map<std::string, f64>& counters) {
    Json json;
    for (const auto& [metric, value] : counters)
        json[metric] = plain(value);
    return json;
}

Json copyJson(const run::KernelTiming::Copy& copy) {
    return {{"bytes", copy.bytes}, {"ms", copy.milliseconds}};
}

Json timingJson(const run::Measured& measured, const run::KernelTiming& timing) {
    const run::Spread& kernel = timing.kernel;
    Json json{{"kernel_ms",
               {{"median", kernel.median},
                {"lower_quartile", kernel.lowerQuartile},
                {"upper_quartile", kernel.upperQuartile},
                {"min", kernel.least},
                {"max", kernel.most},
                {"runs", kernel.runs}}},
              {"batch", timing.batch},
              {"l2", timing.coldCache ? "cold" : "warm"},
              {"sm_mhz", timing.smMegahertz > 0 ? Json(timing.smMegahertz) : Json(nullptr)}};
    if (timing.toDevice) json["host_to_device"] = copyJson(*timing.toDevice);
    if (timing.toHost) json["device_to_host"] = copyJson(*timing.toHost);
    if (!measured.recording.empty()) json["recording"] = measured.recording;
    return json;
}

Json warningJson(const Fault& warning) {
    return {{"message", warning.message.english()},
            {"file", warning.place.file},
            {"line", warning.place.line},
            {"column", warning.place.column ? Json(warning.place.column) : Json(nullptr)}};
}

Json gpuJson(const run::Run& run) {
    Json json = nullptr;
    if (run.measured) {
        const run::Measured& measured = *run.measured;
        const run::DriverVersions driver = run::driverVersions(measured.driver);
        json = {{"device", measured.device},
                {"driver", driver.cuda},
                {"compute_capability", measured.computeCapability},
                {"blocks_per_sm", measured.blocksPerSm ? Json(measured.blocksPerSm) : Json(nullptr)}};
        if (!driver.release.empty()) json["driver_release"] = driver.release;
        if (!measured.recording.empty()) json["recording"] = measured.recording;
        if (!measured.date.empty()) json["date"] = measured.date;
        if (!measured.counters.empty()) json["counter_readings"] = measured.counterReadings;
        if (measured.emulator)
            json["emulator"] = {{"same", measured.emulator->differing == 0},
                                {"differing", measured.emulator->differing},
                                {"largest_difference", number(measured.emulator->largest)}};
    }
    if (run.gpuFault) json["fault"] = describe(*run.gpuFault);
    return json;
}

Json sampledJson(const run::Run& run, const trace::Sample& sample) {
    const Message why = explain::whyNotExtrapolated(sample, *run.module);
    return {{"blocks", sample.blocks},
            {"of", sample.of},
            {"extrapolated", sample.isExtrapolated()},
            {"why", why.empty() ? Json(nullptr) : Json(why.english())}};
}

Json orEmpty(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

}  // namespace

Json runJson(const run::Run& run, const std::optional<catalog::CpuTiming>& cpu) {
    const trace::Recording& recording = run.recording;
    Json json;
    json["kernel"] = {{"family", orEmpty(recording.family)},
                      {"variant", orEmpty(recording.variant)},
                      {"entry", recording.entry},
                      {"source", run.source}};
    if (!recording.parameters.empty()) {
        for (const auto& [name, value] : recording.parameters) {
            const std::optional<s64> number = catalog::parseWhole(value);
            json["parameters"][name] = number ? Json(*number) : Json(value);  // a choice: its label
        }
    }
    json["launch"] = launchJson(run, 0);
    for (std::size_t i = 0; recording.launches.size() > 1 && i < recording.launches.size(); ++i)
        json["launches"].push_back(launchJson(run, i));
    json["backend"] = recording.backend;
    json["device"] = orEmpty(recording.device);
    json["profile"] = run.report.profile;
    json["correct"] = run.correct();
    json["reference"] = recording.check ? Json(recording.check->reference) : Json(nullptr);
    json["max_error"] = run.comparison ? number(run.comparison->maxError) : Json(nullptr);
    json["wrong"] = run.comparison ? wrongJson(*run.comparison) : Json(nullptr);
    if (recording.sample) json["sampled"] = sampledJson(run, *recording.sample);
    json["counters"] =
        recording.sample && !recording.sample->isExtrapolated() ? Json(nullptr) : Json::object();
    if (run.emulated)
        for (const auto& [metric, value] : run.report.counters)
            json["counters"][metric] = value;
    const run::Measured* counted = run::countedForProfile(run);
    json["measured"] = counted ? countersJson(counted->counters) : Json(nullptr);
    json["timing"] = run.measured && run.measured->timing ? timingJson(*run.measured, *run.measured->timing)
                                                          : Json(nullptr);
    json["gpu"] = gpuJson(run);
    json["trace_source"] = run.traceSource;
    json["notes"] = list(run.notes, [](const Fault& note) { return describe(note); });
    json["warnings"] = list(run.warnings, warningJson);
    json["memory"] =
        memoryJson(model::memoryTables(run.report, run.caches, counted ? &counted->counters : nullptr));
    json["emulation"] = {
        {"seconds", run.statistics.seconds},
        {"thread_instructions", run.statistics.threadInstructions},
        {"warp_instructions", run.statistics.warpInstructions},
        {"threads", run.statistics.threads},
        {"peak_bytes", run.statistics.peakBytes},
        {"order", recording.sequential ? "sequential" : "parallel"},
        {"complete", run.emulated},
        {"recorded",
         {{"blocks", recording.trace.blocks.size()},
          {"truncated", std::ranges::count(recording.trace.blocks, true, &trace::FocusBlock::truncated)}}}};
    if (run.caches) json["emulation"]["cache_seconds"] = run.caches->seconds;
    if (!run.repeatSeconds.empty()) json["emulation"]["runs"] = run.repeatSeconds;
    if (cpu)
        json["cpu"] = {{"threads", cpu->threads},
                       {"milliseconds",
                        {{"median", 1e3 * median(cpu->seconds)},
                         {"min", 1e3 * std::ranges::min(cpu->seconds)},
                         {"max", 1e3 * std::ranges::max(cpu->seconds)},
                         {"runs", cpu->seconds.size()}}}};
    json["machine"] = machineJson(run);
    json["sites"] = list(run.report.sites, siteJson);
    json["lines"] = list(run.report.lines, lineJson);
    const explain::FindingTally tally = explain::tallyOf(recording.findings, *run.module);
    json["finding_counts"] = {{"problems", tally.problems},
                              {"remarks", tally.remarks},
                              {"found", tally.found.all()},
                              {"listed", tally.found.listed}};
    json["findings"] =
        list(recording.findings, [&](const trace::Finding& finding) { return findingJson(run, finding); });
    json["hints"] = run.hints
                        ? list(run.hints->all, [&](const explain::Hint& hint) { return hintJson(run, hint); })
                        : Json::array();
    json["hints_note"] =
        run.hints && !run.hints->scale.empty() ? Json(run.hints->scale.english()) : Json(nullptr);
    json["branches"] = list(run.report.branches, branchJson);
    json["occupancy"] = occupancyJson(run.report.occupancy);
    json["bounds"] = boundsJson(run);
    json["shape"] = shapeJson(run);
    json["flow"] = flowJson(run);
    json["phases"] = phasesJson(run);
    json["inactive"] = inactiveJson(run);
    return json;
}

}  // namespace lockstep::cli
