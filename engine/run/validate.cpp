#include "run/validate.h"

#include "base/text/counted.h"
#include "run/gpu/counter_readings.h"
#include "run/gpu/gpu_run.h"
#include "run/gpu/grouped_counters.h"
#include "run/gpu/result_comparison.h"
#include "run/machine/known_differences.h"
#include "run/machine/read_machine_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lockstep::run {
namespace {

// Extra readings of a varying counter that differs: with the first, an odd number, so that the median is a
// reading.
constexpr u32 kMoreReadings = 8;
constexpr const char* kCycles = "sm__cycles_active.max";

// Kinds of findings, "race, out_of_bounds"; empty: none.
std::string faultsIn(const Run& run) {
    std::set<std::string> kinds;
    for (const trace::Finding& finding : run.recording.findings)
        if (!trace::isRemark(finding.kind)) kinds.emplace(nameOf(finding.kind));
    std::string list;
    for (const std::string& kind : kinds)
        list += (list.empty() ? "" : ", ") + kind;
    return list;
}

Dim3 blockAt(u64 linear, Dim3 grid) {
    return {u32(linear % grid.x), u32(linear / grid.x % grid.y), u32(linear / grid.x / grid.y)};
}

class Validator {
public:
    Validator(std::string name, const Experiment& experiment, const Run& emulated, const Options& options,
              const RunJob& runJob)
        : experiment_(experiment),
          emulated_(emulated),
          options_(options),
          runJob_(runJob),
          faults_(faultsIn(emulated)) {
        result_.name = std::move(name);
    }

    Expected<Validation> validate() {
        const cuda::JobReport report = runPlain();
        if (report.gpuIsLost) return Unexpected{*report.fault};
        if (!emulated_.recording.complete)
            tellOfLimit(report);
        else if (tellOfEnd(report))
            compareTrace();
        settleCounters();
        if (lost_) return Unexpected{*lost_};
        return std::move(result_);
    }

private:
    // A faulty kernel has undefined behavior.
    void tell(const Message& what) {
        if (faults_.empty())
            result_.differences.push_back(what);
        else
            result_.explanations.emplace_back(
                english("{0}; the kernel is faulty ({1}), so that this is not defined"), what, faults_);
    }

    cuda::JobReport runPlain(u32 readings = 1) {
        cuda::Job job;
        job.device = options_.gpu.device;
        job.ptx = experiment_.module->text();
        job.launches = experiment_.launches;
        job.buffers = experiment_.buffers;
        job.guardBytes = guardBytesFor(experiment_.buffers, emulated_.recording.findings);
        for (const model::Tolerance& tolerance : model::tolerances())
            job.metrics.push_back(std::string(tolerance.metric) + ".sum");
        job.metrics.emplace_back(kCycles);
        job.readings = readings;
        return runJob_(job);
    }

    static Fault faultOf(const cuda::JobReport& report) {
        return report.fault ? *report.fault
                            : Fault{.kind = FaultKind::Gpu,
                                    .message = english("the GPU gave no result"),
                                    .place = {},
                                    .pc = {},
                                    .block = {},
                                    .thread = {}};
    }

    // The emulator's result is incomplete: there is nothing to compare.
    void tellOfLimit(const cuda::JobReport& report) {
        const Message seconds =
            options_.emulator.limit
                ? Message::plain(
                      fmt::format("{:g} s", std::chrono::duration<f64>(*options_.emulator.limit).count()))
                : Message(english("a while"));
        if (report.outcome)
            result_.explanations.emplace_back(
                english("nothing is compared: the emulator was stopped after {0}, before the kernel's end "
                        "(--limit); on the GPU, it came to its end"),
                seconds);
        else
            result_.explanations.emplace_back(
                english("nothing is compared: the emulator was stopped after {0}, before the kernel's end "
                        "(--limit); on the GPU, {1}"),
                seconds, faultOf(report).message);
    }

    // Results and counters; false if the kernel did not complete.
    bool tellOfEnd(const cuda::JobReport& report) {
        if (!report.outcome) {
            tell(faultOf(report).message);
            return false;
        }
        compareResults(report.outcome->buffers);
        if (report.counted && !report.counted->refused) {
            compareCounters(readingsOf(*report.counted).front());
        } else {
            const Fault* why = report.counted && report.counted->refused ? &*report.counted->refused
                               : report.fault                            ? &*report.fault
                                                                         : nullptr;
            result_.explanations.emplace_back(
                english("not counted: {0}"),
                why ? why->message : Message(english("the hardware's counters were not read")));
        }
        return true;
    }

    void compareResults(const std::vector<Buffer>& results) {
        const ResultComparison compared = run::compareResults(*experiment_.module, experiment_.launches,
                                                              emulated_.recording.final, results);
        result_.differingElements = compared.differing;
        result_.largestDifference = compared.largest;
        if (compared.agreement == Agreement::Differ)
            tell(Message(english("{0} {0:element|elements} of the results {0:differs|differ}"),
                         grouped(result_.differingElements)));
        else if (compared.agreement == Agreement::InAnotherOrder)
            result_.explanations.emplace_back(
                english(
                    "{0} {0:element stands|elements stand} elsewhere in the results: which thread comes "
                    "first "
                    "at an atomic operation is the machine's own; as sets, the results are the same bits"),
                grouped(result_.differingElements));
    }

    void compareCounters(const std::map<std::string, f64>& counted) {
        result_.counted = true;
        if (const auto cycles = counted.find(kCycles); cycles != counted.end())
            result_.cycles.measured = cycles->second;
        for (const model::Tolerance& tolerance : model::tolerances()) {
            const std::string metric(tolerance.metric);
            const auto measured = counted.find(metric);
            const auto own = emulated_.report.counters.find(metric);
            if (measured == counted.end() || own == emulated_.report.counters.end() ||
                (own->second == 0 && measured->second == 0))
                continue;
            const f64 model = f64(own->second);
            result_.counters.push_back({&tolerance,
                                        model,
                                        measured->second,
                                        {measured->second},
                                        agrees(tolerance, model + tolerance.added, measured->second)});
        }
        if (std::ranges::any_of(result_.counters, &isToBeRepeated)) countAgain();
        for (const CounterCheck& check : result_.counters) {
            if (check.agrees) continue;
            const std::string metric(check.tolerance->metric), a = grouped(u64(check.model)),
                                                               b = grouped(u64(check.measured));
            Message figures(english("{0}: the model says {1}, the hardware {2}"), metric, a, b);
            if (check.isRepeated()) {
                const auto [least, most] = std::ranges::minmax(check.readings);
                const std::size_t count = check.readings.size();
                figures = least == most ? Message(english("{0} ({1} readings)"), figures, count)
                                        : Message(english("{0} ({1} of {2} readings, {3} to {4})"), figures,
                                                  check.standing(), count, u64(least), u64(most));
            }
            if (const KnownDifference* known = explain(emulated_, metric, check.model, check.measured))
                result_.explanations.emplace_back(english("{0}: {1}"), figures, known->reason);
            else
                unexplained_.push_back({check.tolerance, check.measured, figures});
        }
    }

    // An exact counter is not reread until it matches.
    static bool isToBeRepeated(const CounterCheck& check) {
        return !check.agrees && !check.tolerance->isExact();
    }

    void countAgain() {
        const cuda::JobReport report = runPlain(kMoreReadings);
        if (report.gpuIsLost) lost_ = report.fault;
        if (!report.counted || report.counted->refused) return;
        const std::vector<std::map<std::string, f64>> more = readingsOf(*report.counted);
        for (CounterCheck& check : result_.counters) {
            if (!isToBeRepeated(check)) continue;
            for (const auto& reading : more)
                if (const auto found = reading.find(std::string(check.tolerance->metric));
                    found != reading.end())
                    check.readings.push_back(found->second);
            check.measured = settled(std::string(check.tolerance->metric), check.readings);
            check.agrees = agrees(*check.tolerance, check.model + check.tolerance->added, check.measured);
        }
    }

    // Counters that no known difference explains: divergent lanes may have reconverged elsewhere on the GPU.
    // If so, the model yields the hardware's figure when it uses the GPU's own lane groups in every block of
    // the grid.
    void settleCounters() {
        if (unexplained_.empty()) return;
        const std::map<std::string, u64> grouped =
            mayBeGroupedOtherwise() ? countersByTheGpusGroups() : std::map<std::string, u64>();
        for (const Unexplained& counter : unexplained_) {
            const auto found = grouped.find(std::string(counter.tolerance->metric));
            if (found == grouped.end() ||
                !agrees(*counter.tolerance, f64(found->second) + counter.tolerance->added,
                        counter.measured)) {
                tell(counter.figures);
                continue;
            }
            result_.explanations.emplace_back(english("{0}: lanes that diverged reconverge elsewhere in "
                                                      "machine code; with the GPU's own groups "
                                                      "of lanes the model says {1}"),
                                              counter.figures, found->second);
        }
    }

    bool mayBeGroupedOtherwise() const {
        const bool divides =
            std::ranges::any_of(emulated_.recording.counts, [](const trace::GridCounts& counts) {
                return std::ranges::any_of(counts.perPc,
                                           [](const trace::PcCounts& at) { return at.divergent > 0; });
            });
        return divides && result_.trace && result_.trace->isSame() && !result_.trace->raced;
    }

    // Empty if the grid is too large to be recorded in full.
    std::map<std::string, u64> countersByTheGpusGroups() {
        constexpr u64 kMostBlocks = 4096;
        std::vector<std::vector<Dim3>> focus;
        for (const Launch& launch : experiment_.launches) {
            std::vector<Dim3>& blocks = focus.emplace_back();
            if (launch.grid.count() > kMostBlocks) return {};
            for (u64 block = 0; block < launch.grid.count(); ++block)
                blocks.push_back(blockAt(block, launch.grid));
        }
        const Expected<GpuRecord> record = recordBlocks(std::move(focus), false);
        if (!record || std::ranges::any_of(record->trace.blocks, &trace::FocusBlock::truncated)) return {};
        return groupedCounters(emulated_, record->trace);
    }

    Expected<GpuRecord> recordBlocks(std::vector<std::vector<Dim3>> focus, bool values) {
        GpuRecordOptions options;
        options.device = options_.gpu.device;
        options.guardBytes = guardBytesFor(experiment_.buffers, emulated_.recording.findings);
        options.focus = std::move(focus);
        options.values = values;
        return recordOnGpu(*experiment_.module, experiment_.launches, experiment_.buffers, options,
                           [this](const cuda::Job& job) {
                               cuda::JobReport report = runJob_(job);
                               if (report.gpuIsLost) lost_ = report.fault;
                               return report;
                           });
    }

    void compareTrace() {
        std::vector<std::vector<Dim3>> focus(experiment_.launches.size());
        for (const trace::FocusBlock& block : emulated_.recording.trace.blocks)
            focus[block.launch.value].push_back(block.block);
        const Expected<GpuRecord> record = recordBlocks(std::move(focus), true);
        if (!record) {
            const Message what(english("not recorded: {0}"), record.error().message);
            if (record.error().kind == FaultKind::Unsupported)
                result_.explanations.push_back(what);
            else
                tell(what);
            return;
        }
        result_.trace = compareTraces(*experiment_.module, emulated_.recording.trace, record->trace,
                                      emulated_.recording.findings);
        const TraceComparison& trace = *result_.trace;
        if (!trace.isSame())
            tell(Message(english("the traces differ: {0}"), trace.first));
        else if (trace.groups) {
            result_.explanations.emplace_back(
                english("{0} {0:instruction is|instructions are} executed by other lanes together: where "
                        "lanes that "
                        "diverged reconverge is the machine code's own; each lane does the same at the same "
                        "addresses ({1})"),
                grouped(trace.regrouped), trace.firstGroup);
        }
        if (trace.raced)
            result_.explanations.emplace_back(
                trace.racedAccessesDiffer
                    ? english("{0} {0:lane goes|lanes go} on differently once threads race, or one waits for "
                              "another: "
                              "their order is the machine's own, and what they access depends on it")
                    : english("{0} {0:lane goes|lanes go} on differently once threads race, or one waits for "
                              "another: "
                              "their order is the machine's own; as a set, they access the same"),
                grouped(trace.raced));
    }

    const Experiment& experiment_;
    const Run& emulated_;
    const Options& options_;
    const RunJob& runJob_;
    struct Unexplained {
        const model::Tolerance* tolerance;
        f64 measured;
        Message figures;
    };
    std::vector<Unexplained> unexplained_;
    std::optional<Fault> lost_;  // the GPU, while it recorded
    std::string faults_;
    Validation result_;
};

}  // namespace

Words CounterCheck::standing() const {
    switch (tolerance->stands()) {
        case model::Stands::First: return english("first");
        case model::Stands::Least: return english("least");
        case model::Stands::Median: break;
    }
    return english("median");
}

Expected<Validation> validate(const std::string& name, const Experiment& experiment, Options options,
                              const RunJob& runJob, cuda::Disassembler* disassembler, const TimeOf& timeOf) {
    options.backend = "emulator";
    options.wantsHints = false;
    options.emulator.mostThreadInstructions = 0;  // stopped by the limit of time
    Expected<Run> emulated = run(experiment, options);
    if (!emulated) return Unexpected{emulated.error()};
    if (disassembler) takeCodeLength(*disassembler, *emulated);
    Expected<Validation> validation = Validator(name, experiment, *emulated, options, runJob).validate();
    if (validation && timeOf && validation->cycles.measured) validation->cycles.modeled = timeOf(*emulated);
    return validation;
}

}  // namespace lockstep::run
