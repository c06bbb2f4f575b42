#include "viz/times_facts.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace lockstep::viz {
namespace {

using run::HardwareRecording, run::RecordedRun;
using Settings = std::vector<Setting>;

constexpr f64 kSectorBytes = 32;  // model/global_sectors.h

std::string kernelName(const catalog::Family& family, const catalog::Variant& variant) { return family.name + "/" + variant.name; }

// As a recording writes them.
Settings settingsOf(const catalog::Experiment& experiment) {
    Settings settings;
    for (const std::string& name : experiment.variant->parameters)
        settings.emplace_back(name, experiment.family->findParameter(name)->shown(experiment.values.at(name)));
    return settings;
}

// No parameter that both have differs.
bool agree(const Settings& a, const Settings& b) {
    return std::ranges::all_of(a, [&](const Setting& setting) {
        const auto other = std::ranges::find(b, setting.first, &Setting::first);
        return other == b.end() || other->second == setting.second;
    });
}

f64 workIn(const catalog::Family& family, const catalog::Variant& variant, const RecordedRun& run, bool operations) {
    const Expected<catalog::Values> values = catalog::resolve(family, variant, run.parameters);
    if (!values) return 0;
    const catalog::Work work = catalog::workOf(family, variant, *values);
    return operations ? work.operations : work.bytes;
}

TimedKernel timed(const catalog::Family& family, const catalog::Variant& variant, const RecordedRun* run, bool operations) {
    TimedKernel kernel{.variant = &variant, .run = run};
    if (!run) return kernel;
    if (run->ending != run::Ending::Whole) {
        std::swap(kernel.run, kernel.ended);
        return kernel;
    }
    const run::Spread& spread = run->measured.timing->kernel;
    kernel.milliseconds = spread.median;
    kernel.lowerQuartile = spread.lowerQuartile;
    kernel.upperQuartile = spread.upperQuartile;
    if (spread.median > 0) kernel.rate = workIn(family, variant, *run, operations) / (spread.median / 1000);
    for (const char* metric : {"dram__sectors_read", "dram__sectors_write"})
        if (const auto found = run->measured.counters.find(metric); found != run->measured.counters.end()) kernel.deviceBytes += kSectorBytes * found->second;
    return kernel;
}

// It says something about time: how long, or that it did not end.
bool isTimed(const RecordedRun& run) { return run.measured.timing || run.ending != run::Ending::Whole; }

// Of the runs of this variant that were timed, the first that agrees with the size and does as much.
const RecordedRun* runOf(const HardwareRecording& recording, const catalog::Family& family, const catalog::Variant& variant, const Settings& size, bool operations, f64 work) {
    const std::string kernel = kernelName(family, variant);
    const auto found = std::ranges::find_if(recording.runs, [&](const RecordedRun& run) {
        return run.kernel == kernel && isTimed(run) && agree(size, run.parameters) && workIn(family, variant, run, operations) == work;
    });
    return found == recording.runs.end() ? nullptr : &*found;
}

}  // namespace

std::vector<RecordedMachine> recordedMachines(std::vector<HardwareRecording> recordings, const catalog::Catalog& catalog) {
    std::vector<RecordedMachine> machines;
    for (HardwareRecording& recording : recordings) {
        RecordedMachine& machine = machines.emplace_back(std::move(recording));
        for (const RecordedRun& run : machine.recording.runs) {
            const auto found = catalog.lookUp(run.kernel);
            if (found && found->second->work.isLimit && run.measured.timing)
                machine.copyRate = std::max(machine.copyRate, timed(*found->first, *found->second, &run, false).rate);
        }
    }
    return machines;
}

const TimedKernel* TimesFacts::fastest() const {
    const TimedKernel* best = nullptr;
    for (const TimedKernel& kernel : kernels)
        if (kernel.variant && kernel.run && (!best || kernel.milliseconds < best->milliseconds)) best = &kernel;
    return best;
}

KnownMeasurements measurementsOf(const run::Run& run, std::span<const RecordedMachine> machines) {
    KnownMeasurements known;
    if (run.measured) known.all.push_back(*run.measured);
    else
        for (const RecordedMachine& machine : machines)
            if (std::optional<run::Measured> found = machine.recording.find(run.recording)) known.all.push_back(std::move(*found));
    return known;
}

const run::Measured* measuredOn(const model::Profile& profile, const KnownMeasurements& known) {
    const std::string capability = fmt::format("{}.{}", profile.major, profile.minor);
    const auto found = std::ranges::find(known.all, capability, &run::Measured::computeCapability);
    return found == known.all.end() ? nullptr : &*found;
}

std::optional<TimesFacts> timesFacts(const catalog::Experiment& experiment, std::span<const RecordedMachine> machines, u32 chosen) {
    const catalog::Family& family = *experiment.family;
    TimesFacts facts;
    for (const RecordedMachine& machine : machines) {
        for (const RecordedRun& run : machine.recording.runs)
            if (run.kernel == kernelName(family, *experiment.variant) && isTimed(run)) facts.sizes.push_back(run.parameters);
        if (facts.sizes.empty()) continue;
        facts.machine = &machine;
        break;
    }
    if (!facts.machine) return std::nullopt;

    const Settings own = settingsOf(experiment);
    const auto ofRun = std::ranges::find_if(facts.sizes, [&](const Settings& size) { return agree(own, size); });
    facts.size = chosen > 0 && chosen <= facts.sizes.size() ? chosen - 1 : std::size_t((ofRun == facts.sizes.end() ? facts.sizes.end() - 1 : ofRun) - facts.sizes.begin());
    const Settings& size = facts.sizes[facts.size];
    facts.isTheRuns = agree(own, size);
    facts.countsOperations = !experiment.variant->work.operations.empty();

    RecordedRun shown;
    shown.parameters = size;
    const f64 work = workIn(family, *experiment.variant, shown, facts.countsOperations);
    const RecordedRun* withLoop = nullptr;
    const TimedKernel* before = nullptr;
    f64 first = 0;
    facts.kernels.reserve(family.variants.size() + 1);
    for (const catalog::Variant& variant : family.variants) {
        TimedKernel& kernel = facts.kernels.emplace_back(timed(family, variant, runOf(facts.machine->recording, family, variant, size, facts.countsOperations, work), facts.countsOperations));
        if (!kernel.run || kernel.milliseconds <= 0) continue;
        if (before) kernel.step = before->milliseconds / kernel.milliseconds;
        if (first > 0) kernel.total = first / kernel.milliseconds;
        else first = kernel.milliseconds;
        before = &kernel;
        if (!withLoop && kernel.run->cpuMilliseconds) withLoop = kernel.run;
    }
    if (withLoop) {
        TimedKernel& loop = facts.kernels.emplace_back();
        loop.run = withLoop;
        loop.milliseconds = loop.lowerQuartile = loop.upperQuartile = *withLoop->cpuMilliseconds;
        const auto variant = std::ranges::find_if(facts.kernels, [&](const TimedKernel& kernel) { return kernel.variant && kernel.run == withLoop; });
        loop.rate = workIn(family, *variant->variant, *withLoop, facts.countsOperations) / (loop.milliseconds / 1000);
    }
    return facts;
}

}  // namespace lockstep::viz
