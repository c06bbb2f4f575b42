#include "run/validate.h"

#include "base/counted.h"
#include "run/counter_readings.h"
#include "run/gpu_run.h"
#include "run/grouped_counters.h"
#include "run/known_differences.h"
#include "run/read_machine_code.h"
#include "run/result_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lockstep::run {
namespace {

// Of a counter that varies and differs: with the first, an odd number, so that the median is a reading.
constexpr u32 kMoreReadings = 8;

// Kinds of findings, "race, out_of_bounds"; empty: the kernel is sound.
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
    // What a faulty kernel does is not defined.
    void tell(const std::string& english, const std::string& chinese) {
        if (faults_.empty())
            result_.differences.push_back({english, chinese});
        else
            result_.explanations.push_back(
                {english + "; the kernel is faulty (" + faults_ + "), so that this is not defined",
                 chinese + "；核函数有错误（" + faults_ + "），因此这没有定义"});
    }
    void tell(const Fault& fault) {
        tell(fault.message, fault.chinese.empty() ? fault.message : fault.chinese);
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
        job.readings = readings;
        return runJob_(job);
    }

    static Fault faultOf(const cuda::JobReport& report) {
        return report.fault ? *report.fault
                            : Fault{.kind = FaultKind::Gpu,
                                    .message = "the GPU gave no result",
                                    .place = {},
                                    .pc = {},
                                    .block = {},
                                    .thread = {}};
    }

    // What the emulator did by then is the beginning of something, with nothing to compare it with.
    void tellOfLimit(const cuda::JobReport& report) {
        const std::string seconds =
            options_.emulator.limit
                ? fmt::format("{:g} s", std::chrono::duration<f64>(*options_.emulator.limit).count())
                : "a while";
        Text text{"nothing is compared: the emulator was stopped after " + seconds +
                      ", before the kernel's end (--limit); on the GPU, ",
                  "没有比较：模拟器在核函数结束之前被停止（--limit，" + seconds + "）；在 GPU 上，"};
        if (report.outcome) {
            text.en += "it came to its end";
            text.zh += "它运行到了结束";
        } else {
            const Fault fault = faultOf(report);
            text.en += fault.message;
            text.zh += fault.chinese.empty() ? fault.message : fault.chinese;
        }
        result_.explanations.push_back(std::move(text));
    }

    // Results and counters; false where the kernel did not come to its end.
    bool tellOfEnd(const cuda::JobReport& report) {
        if (!report.outcome) {
            tell(faultOf(report));
            return false;
        }
        compareResults(report.outcome->buffers);
        if (report.counted && !report.counted->refused) {
            compareCounters(readingsOf(*report.counted).front());
        } else {
            const Fault* why = report.counted && report.counted->refused ? &*report.counted->refused
                               : report.fault                            ? &*report.fault
                                                                         : nullptr;
            const std::string english = why ? why->message : "the hardware's counters were not read",
                              chinese = why && !why->chinese.empty() ? why->chinese : "没有读取硬件计数器";
            result_.explanations.push_back({"not counted: " + english, "未计数：" + chinese});
        }
        return true;
    }

    void compareResults(const std::vector<Buffer>& results) {
        const ResultComparison compared = run::compareResults(*experiment_.module, experiment_.launches,
                                                              emulated_.recording.final, results);
        result_.differingElements = compared.differing;
        result_.largestDifference = compared.largest;
        if (compared.agreement == Agreement::Differ)
            tell(counted(result_.differingElements, "element") + " of the results differ",
                 "结果中有 " + std::to_string(result_.differingElements) + " 个元素不同");
        else if (compared.agreement == Agreement::InAnotherOrder)
            result_.explanations.push_back(
                {counted(result_.differingElements, "element") +
                     (result_.differingElements == 1 ? " stands" : " stand") +
                     " elsewhere in the results: which thread comes first at an atomic operation is the "
                     "machine's own; as sets, the results are the same bits",
                 "结果中有 " + std::to_string(result_.differingElements) +
                     " 个元素的位置不同：哪个线程先执行原子操作由机器决定；作为集合，结果逐位相同"});
    }

    void compareCounters(const std::map<std::string, f64>& counted) {
        result_.counted = true;
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
            const std::string metric(check.tolerance->metric), a = std::to_string(u64(check.model)),
                                                               b = std::to_string(u64(check.measured));
            Text figures{metric + ": the model says " + a + ", the hardware " + b,
                         metric + "：模型为 " + a + "，硬件为 " + b};
            if (check.isRepeated()) {
                const auto [least, most] = std::ranges::minmax(check.readings);
                const std::size_t count = check.readings.size();
                figures.en += least == most ? fmt::format(" ({} readings)", count)
                                            : fmt::format(" ({} of {} readings, {} to {})",
                                                          check.standing().en, count, u64(least), u64(most));
                figures.zh += least == most ? fmt::format("（{} 次读数）", count)
                                            : fmt::format("（{} 次读数的{}，{} 至 {}）", count,
                                                          check.standing().zh, u64(least), u64(most));
            }
            if (const KnownDifference* known = explain(emulated_, metric, check.model, check.measured))
                result_.explanations.push_back(
                    {figures.en + ": " + known->reason.en, figures.zh + "：" + known->reason.zh});
            else
                unexplained_.push_back({check.tolerance, check.measured, figures});
        }
    }

    // A rule without exceptions is not repeated until it fits.
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

    // Counters that no known difference explains: lanes that went apart may have met elsewhere on the GPU. If
    // so, the model counts the hardware's figure where it goes by the GPU's own groups, in every block of the
    // grid.
    void settleCounters() {
        if (unexplained_.empty()) return;
        const std::map<std::string, u64> grouped =
            mayBeGroupedOtherwise() ? countersByTheGpusGroups() : std::map<std::string, u64>();
        for (const Unexplained& counter : unexplained_) {
            const auto found = grouped.find(std::string(counter.tolerance->metric));
            if (found == grouped.end() ||
                !agrees(*counter.tolerance, f64(found->second) + counter.tolerance->added,
                        counter.measured)) {
                tell(counter.figures.en, counter.figures.zh);
                continue;
            }
            const std::string again = std::to_string(found->second);
            result_.explanations.push_back(
                {counter.figures.en +
                     ": lanes that diverged reconverge elsewhere in machine code; with the GPU's own groups "
                     "of lanes the model says " +
                     again,
                 counter.figures.zh + "：分化的通道在机器码中于别处汇合；按 GPU 自己的通道分组，模型为 " +
                     again});
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

    // Empty where the grid is too large to be recorded whole.
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
            const std::string chinese =
                record.error().chinese.empty() ? record.error().message : record.error().chinese;
            if (record.error().kind == FaultKind::Unsupported)
                result_.explanations.push_back(
                    {"not recorded: " + record.error().message, "未记录：" + chinese});
            else
                tell("not recorded: " + record.error().message, "未记录：" + chinese);
            return;
        }
        result_.trace = compareTraces(*experiment_.module, emulated_.recording.trace, record->trace,
                                      emulated_.recording.findings);
        const TraceComparison& trace = *result_.trace;
        if (!trace.isSame())
            tell("the traces differ: " + trace.first, "轨迹不同：" + trace.first);
        else if (trace.groups) {
            const std::string instructions = std::to_string(trace.regrouped);
            result_.explanations.push_back(
                {counted(trace.regrouped, "instruction") + (trace.regrouped == 1 ? " is" : " are") +
                     " executed by other lanes together: where lanes that diverged reconverge is the machine "
                     "code's own; each lane does the same at the same addresses (" +
                     trace.firstGroup + ")",
                 "有 " + instructions +
                     " 条指令由不同的通道组合一起执行：分化的通道在哪里重新汇合由机器码决定；每个通道所做的事"
                     "和访问的地址都相同（" +
                     trace.firstGroup + "）"});
        }
        if (trace.raced) {
            const std::string lanes = std::to_string(trace.raced);
            Text text{counted(trace.raced, "lane") + (trace.raced == 1 ? " goes" : " go") +
                          " on differently once threads race, or one waits for another: their order is the "
                          "machine's own",
                      "在线程发生竞争或互相等待之后，有 " + lanes + " 个通道的后续不同：其顺序由机器决定"};
            text.en += trace.racedAccessesDiffer ? ", and what they access depends on it"
                                                 : "; as a set, they access the same";
            text.zh +=
                trace.racedAccessesDiffer ? "，它们访问的地址也取决于此" : "；作为集合，它们访问的地址相同";
            result_.explanations.push_back(std::move(text));
        }
    }

    const Experiment& experiment_;
    const Run& emulated_;
    const Options& options_;
    const RunJob& runJob_;
    struct Unexplained {
        const model::Tolerance* tolerance;
        f64 measured;
        Text figures;
    };
    std::vector<Unexplained> unexplained_;
    std::optional<Fault> lost_;  // the GPU, while it recorded
    std::string faults_;
    Validation result_;
};

}  // namespace

Text CounterCheck::standing() const {
    switch (tolerance->stands()) {
        case model::Stands::First: return {"first", "第一次"};
        case model::Stands::Least: return {"least", "最小值"};
        case model::Stands::Median: break;
    }
    return {"median", "中位数"};
}

Expected<Validation> validate(const std::string& name, Experiment experiment, Options options,
                              const RunJob& runJob, cuda::Disassembler* disassembler) {
    options.backend = "emulator";
    Expected<Run> emulated = run(experiment, options);
    if (!emulated) return Unexpected{emulated.error()};
    if (disassembler) takeCodeLength(*disassembler, *emulated);
    return Validator(name, experiment, *emulated, options, runJob).validate();
}

}  // namespace lockstep::run
