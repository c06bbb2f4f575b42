#include "run/recordings/times_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockstep::run {
namespace {

using Settings = std::vector<Setting>;

constexpr f64 kSectorBytes = 32;  // model/access/global_sectors.h

std::string kernelName(const catalog::Family& family, const catalog::Variant& variant) {
    return family.name + "/" + variant.name;
}

// No parameter that both have differs.
bool agree(const Settings& a, const Settings& b) {
    return std::ranges::all_of(a, [&](const Setting& setting) {
        const auto other = std::ranges::find(b, setting.first, &Setting::first);
        return other == b.end() || other->second == setting.second;
    });
}

f64 workIn(const catalog::Family& family, const catalog::Variant& variant, const RecordedRun& run,
           bool operations) {
    const Expected<catalog::Values> values = catalog::resolve(family, variant, run.parameters);
    if (!values) return 0;
    const catalog::Work work = catalog::workOf(family, variant, *values);
    return operations ? work.operations : work.bytes;
}

TimedKernel timed(const catalog::Family& family, const catalog::Variant& variant, const RecordedRun* run,
                  bool operations) {
    TimedKernel kernel{.variant = &variant, .run = run};
    if (!run) return kernel;
    if (run->ending != Ending::Whole) {
        std::swap(kernel.run, kernel.ended);
        return kernel;
    }
    if (const Expected<catalog::Values> values = catalog::resolve(family, variant, run->parameters)) {
        kernel.races = catalog::expectsFinding(family, variant, *values, "race");
        kernel.assumesLockstep = catalog::expectsFinding(family, variant, *values, "warp_synchronous");
    }
    const Spread& spread = run->measured.timing->kernel;
    kernel.milliseconds = spread.median;
    kernel.lowerQuartile = spread.lowerQuartile;
    kernel.upperQuartile = spread.upperQuartile;
    if (spread.median > 0) kernel.rate = workIn(family, variant, *run, operations) / (spread.median / 1000);
    for (const char* metric : {"dram__sectors_read", "dram__sectors_write"})
        if (const auto found = run->measured.counters.find(metric); found != run->measured.counters.end())
            kernel.deviceBytes += kSectorBytes * found->second;
    return kernel;
}

// It says something about time: how long, or that it did not end.
bool isTimed(const RecordedRun& run) { return run.measured.timing || run.ending != Ending::Whole; }

std::vector<Settings> sizesOf(const HardwareRecording& recording, const std::string& kernel) {
    std::vector<Settings> sizes;
    for (const RecordedRun& run : recording.runs)
        if (run.kernel == kernel && isTimed(run)) sizes.push_back(run.parameters);
    return sizes;
}

bool hasAllOf(const Settings& a, const Settings& b) {
    return std::ranges::all_of(b, [&](const Setting& setting) {
        return std::ranges::find(a, setting.first, &Setting::first) != a.end();
    });
}

// Where the family does not say how much a kernel does: one of the two has all parameters of the other; else
// they are about different data.
bool areOfOneKind(const Settings& a, const Settings& b) { return hasAllOf(a, b) || hasAllOf(b, a); }

// What stands side by side: runs whose parameters agree and that do as much.
struct SameWork {
    const Settings& size;
    bool inOperations;
    f64 amount;
};

const RecordedRun* runOf(const HardwareRecording& recording, const catalog::Family& family,
                         const catalog::Variant& variant, const SameWork& same) {
    const std::string kernel = kernelName(family, variant);
    const auto found = std::ranges::find_if(recording.runs, [&](const RecordedRun& run) {
        return run.kernel == kernel && isTimed(run) && agree(same.size, run.parameters) &&
               (same.amount > 0 || areOfOneKind(same.size, run.parameters)) &&
               workIn(family, variant, run, same.inOperations) == same.amount;
    });
    return found == recording.runs.end() ? nullptr : &*found;
}

// Of `sizes` the one that is most like `own`: as few parameters as possible differ, and it does about as
// much.
std::size_t mostSimilar(const catalog::Experiment& experiment, const std::vector<Settings>& sizes,
                        const Settings& own, bool operations) {
    const auto work = [&](const Settings& size) {
        RecordedRun run;
        run.parameters = size;
        return workIn(*experiment.family, *experiment.variant, run, operations);
    };
    const auto unlikeness = [&](const Settings& size) {
        const auto differing = std::ranges::count_if(
            own, [&](const Setting& setting) { return std::ranges::find(size, setting) == size.end(); });
        const f64 mine = work(own), its = work(size);
        return std::pair(differing, mine > 0 && its > 0 ? std::abs(std::log(its / mine)) : 0.0);
    };
    return std::size_t(std::ranges::min_element(sizes, {}, unlikeness) - sizes.begin());
}

// All variants, then the processor's loop, where one of them has it.
std::vector<TimedKernel> kernelsOf(const HardwareRecording& recording, const catalog::Family& family,
                                   const SameWork& same) {
    std::vector<TimedKernel> kernels;
    const RecordedRun* withLoop = nullptr;
    const catalog::Variant* ofLoop = nullptr;
    std::optional<TimedKernel> first;
    for (const catalog::Variant& variant : family.variants) {
        TimedKernel& kernel = kernels.emplace_back(
            timed(family, variant, runOf(recording, family, variant, same), same.inOperations));
        if (!kernel.run || kernel.milliseconds <= 0) continue;
        const auto before = std::ranges::find_if(
            kernels, [&](const TimedKernel& other) { return other.variant->name == variant.after; });
        if (before != kernels.end() && before->run && before->milliseconds > 0 &&
            areTimedAlike(*before, kernel))
            kernel.step = before->milliseconds / kernel.milliseconds;
        if (!first)
            first = kernel;
        else if (areTimedAlike(*first, kernel))
            kernel.total = first->milliseconds / kernel.milliseconds;
        if (!withLoop && kernel.run->cpuMilliseconds) withLoop = kernel.run, ofLoop = &variant;
    }
    if (!withLoop) return kernels;
    TimedKernel& loop = kernels.emplace_back();
    loop.run = withLoop;
    loop.milliseconds = loop.lowerQuartile = loop.upperQuartile = *withLoop->cpuMilliseconds;
    loop.rate = workIn(family, *ofLoop, *withLoop, same.inOperations) / (loop.milliseconds / 1000);
    return kernels;
}

}  // namespace

std::vector<Setting> settingsOf(const catalog::Experiment& experiment) {
    Settings settings;
    for (const std::string& name : experiment.variant->parameters)
        settings.emplace_back(name,
                              experiment.family->findParameter(name)->shown(experiment.values.at(name)));
    return settings;
}

std::vector<RecordedMachine> recordedMachines(std::vector<HardwareRecording> recordings,
                                              const catalog::Catalog& catalog) {
    std::vector<RecordedMachine> machines;
    for (HardwareRecording& recording : recordings) {
        RecordedMachine& machine = machines.emplace_back(std::move(recording));
        for (const RecordedRun& run : machine.recording.runs) {
            const auto found = catalog.lookUp(run.kernel);
            if (found && found->second->work.isLimit && run.measured.timing)
                machine.copyRate =
                    std::max(machine.copyRate, timed(*found->first, *found->second, &run, false).rate);
        }
    }
    return machines;
}

void attachRecorded(Run& run, std::span<const RecordedMachine> machines) {
    for (const RecordedMachine& machine : machines)
        attachRecorded(run, {&machine.recording, 1});
}

bool doAsMuch(const TimedKernel& a, const TimedKernel& b) {
    constexpr f64 kRounded = 1e-6;
    const f64 one = a.rate * a.milliseconds, other = b.rate * b.milliseconds;
    return one > 0 && std::abs(one - other) <= kRounded * one;
}

bool areTimedAlike(const KernelTiming& a, const KernelTiming& b) {
    constexpr f64 kShortMs = 0.05;  // cuda/worker/time_job.cpp: longer ones are never batched
    const bool isAlone = a.batch == 1;
    return isAlone == (b.batch == 1) || (isAlone ? a : b).kernel.median >= kShortMs;
}
bool areTimedAlike(const TimedKernel& a, const TimedKernel& b) {
    return !a.run || !b.run || !a.run->measured.timing || !b.run->measured.timing ||
           areTimedAlike(*a.run->measured.timing, *b.run->measured.timing);
}

namespace {

bool isSound(const TimedKernel& kernel) {
    return kernel.variant && kernel.run && kernel.run->correct.value_or(true) && !kernel.races &&
           !kernel.assumesLockstep;
}

}  // namespace

const TimedKernel* TimesFacts::fastest() const {
    const TimedKernel* best = nullptr;
    for (const TimedKernel& kernel : kernels)
        if (isSound(kernel) && (!best || kernel.milliseconds < best->milliseconds)) best = &kernel;
    return best;
}

const TimedKernel* TimesFacts::fastestLike(const TimedKernel& like) const {
    const TimedKernel* best = nullptr;
    for (const TimedKernel& kernel : kernels)
        if (isSound(kernel) && doAsMuch(kernel, like) && (!best || kernel.milliseconds < best->milliseconds))
            best = &kernel;
    return best;
}

const TimedKernel* TimesFacts::comparedOf(const TimedKernel& kernel) const {
    const auto found = std::ranges::find(kernelsBeside, kernel.variant, &TimedKernel::variant);
    return found == kernelsBeside.end() ? nullptr : &*found;
}

KnownMeasurements measurementsOf(const Run& run, std::span<const RecordedMachine> machines) {
    KnownMeasurements known;
    if (run.measured) known.all.push_back(*run.measured);
    std::string from = run.measured ? run.measured->recording : "";
    for (const RecordedMachine& machine : machines) {
        if (!from.empty() &&
            machine.recording.name == from) {  // it has these; another of that name has others
            from.clear();
            continue;
        }
        if (std::optional<Measured> found = machine.recording.find(run.recording))
            known.all.push_back(std::move(*found));
    }
    return known;
}

const Measured* measuredOn(const model::Profile& profile, const KnownMeasurements& known) {
    const std::string capability = fmt::format("{}.{}", profile.major, profile.minor);
    const auto found = std::ranges::find(known.all, capability, &Measured::computeCapability);
    return found == known.all.end() ? nullptr : &*found;
}

const Measured* countedBeside(const Measured* first, const KnownMeasurements& known) {
    const auto found = std::ranges::find_if(known.all, [&](const Measured& measured) {
        return first && &measured != first && !measured.counters.empty();
    });
    return found == known.all.end() ? nullptr : &*found;
}

std::optional<TimesFacts> timesFacts(const catalog::Experiment& experiment,
                                     std::span<const RecordedMachine> machines, u32 chosen) {
    const catalog::Family& family = *experiment.family;
    TimesFacts facts;
    std::vector<Settings> sizesOfTheFirst;
    for (const RecordedMachine& machine : machines) {
        const std::vector<Settings> sizes =
            sizesOf(machine.recording, kernelName(family, *experiment.variant));
        if (sizes.empty()) continue;
        (facts.machine ? facts.beside : facts.machine) = &machine;
        for (const Settings& size : sizes)
            if (std::ranges::find(facts.sizes, size) == facts.sizes.end()) facts.sizes.push_back(size);
        if (facts.beside) break;
        sizesOfTheFirst = facts.sizes;
    }
    if (!facts.machine) return std::nullopt;

    const Settings own = settingsOf(experiment);
    const auto ofRun =
        std::ranges::find_if(facts.sizes, [&](const Settings& size) { return agree(own, size); });
    facts.countsOperations = !experiment.variant->work.operations.empty();
    facts.isRunRecorded = ofRun != facts.sizes.end();
    if (chosen > 0 && chosen <= facts.sizes.size())
        facts.size = chosen - 1;
    else
        facts.size = facts.isRunRecorded
                         ? std::size_t(ofRun - facts.sizes.begin())
                         : mostSimilar(experiment, sizesOfTheFirst, own, facts.countsOperations);
    const Settings& size = facts.sizes[facts.size];
    facts.isTheRuns = agree(own, size);

    RecordedRun shown;
    shown.parameters = size;
    const SameWork same{size, facts.countsOperations,
                        workIn(family, *experiment.variant, shown, facts.countsOperations)};
    facts.kernels = kernelsOf(facts.machine->recording, family, same);
    if (facts.beside) facts.kernelsBeside = kernelsOf(facts.beside->recording, family, same);
    return facts;
}

}  // namespace lockstep::run
