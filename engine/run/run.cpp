#include "run/run.h"

#include "base/check.h"
#include "base/copy_buffers.h"
#include "base/median.h"
#include "base/nearest.h"
#include "model/access/access_cost.h"
#include "model/caches/cache_simulation.h"
#include "model/occupancy/cooperative_launch.h"
#include "ptx/analysis/shared_layout.h"
#include "run/activity.h"
#include "run/find_hints.h"
#include "run/gpu/gpu_run.h"
#include "run/gpu/gpu_trace.h"
#include "run/machine/machine_run.h"
#include "run/own/buffer_names.h"
#include "run/own/own_kernel.h"
#include "run/own/own_reference.h"
#include "run/partial_result.h"
#include "run/recordings/recording_check.h"
#include "run/sample/sampled_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace lockstep::run {
namespace {

// What ran, as named in the catalog or on the command line.
trace::Recording describeExperiment(const Experiment& experiment, const model::Profile& profile) {
    trace::Recording recording;
    recording.entry = experiment.entry;
    recording.backend = "emulator";
    recording.profile = profile.name;
    if (experiment.catalog) {
        recording.family = experiment.catalog->family->name;
        recording.variant = experiment.catalog->variant->name;
        for (const std::string& name : experiment.catalog->variant->parameters)
            recording.parameters.emplace_back(name, experiment.catalog->family->findParameter(name)->shown(
                                                        experiment.catalog->values.at(name)));
    }
    recording.ptx = experiment.module->text();
    for (std::size_t file = 0; file < experiment.module->sources.size(); ++file)
        if (!experiment.module->sources[file].empty())
            recording.sources.emplace_back(experiment.module->files[file], experiment.module->sources[file]);
    recording.launches = experiment.launches;
    return recording;
}

bool launchesAlike(const Launch& a, const Launch& b) {
    return a.grid == b.grid && a.block == b.block && a.dynamicSharedBytes == b.dynamicSharedBytes &&
           std::ranges::equal(a.arguments, b.arguments, [](const Argument& x, const Argument& y) {
               const auto *bufferX = std::get_if<BufferArgument>(&x),
                          *bufferY = std::get_if<BufferArgument>(&y);
               if (bufferX && bufferY) return bufferX->buffer == bufferY->buffer;
               const auto *scalarX = std::get_if<ScalarArgument>(&x),
                          *scalarY = std::get_if<ScalarArgument>(&y);
               return scalarX && scalarY && scalarX->bytes == scalarY->bytes;
           });
}
// Names may differ: a recording has those of the source.
bool looksAlike(const Buffer& a, const Buffer& b) { return a.type == b.type && a.shape == b.shape; }

// The variant that a recording names: none if this catalog lacks it, or it has changed since.
std::optional<catalog::Experiment> variantOf(const trace::Recording& recording,
                                             const catalog::Catalog& catalog) {
    const auto found = catalog.lookUp(recording.family + "/" + recording.variant);
    if (!found) return std::nullopt;
    const Expected<catalog::Values> values =
        catalog::resolve(*found->first, *found->second, recording.parameters);
    if (!values) return std::nullopt;
    Expected<catalog::Experiment> made = catalog::makeExperiment(*found->first, *found->second, *values);
    if (!made || !std::ranges::equal(made->launches, recording.launches, launchesAlike) ||
        !std::ranges::equal(made->buffers, recording.initial, looksAlike) ||
        !std::ranges::equal(made->buffers, recording.final, looksAlike))
        return std::nullopt;
    made->buffers.clear();
    return std::move(*made);
}

// The emulated device is the profile's.
simt::Options onDevice(simt::Options options, const ptx::Module& module, const model::Profile& profile) {
    options.limits = {.threadsPerBlock = profile.threadsPerBlock,
                      .sharedBytesPerBlock = profile.sharedBytesPerBlock,
                      .sharedBytesOptIn = profile.sharedBytesOptIn,
                      .block = profile.largestBlock,
                      .grid = profile.largestGrid};
    options.overflowCost = [costing = std::make_shared<const model::AccessCosting>(module, profile)](
                               const trace::WarpAccess& access) { return costing->cost(access); };
    return options;
}

Expected<void> checkCooperative(const Experiment& experiment, const simt::Options& emulator,
                                const model::Profile& profile) {
    if (!emulator.cooperative) return {};
    for (const Launch& launch : experiment.launches) {
        const ptx::Function* const entry = experiment.module->findEntry(launch.entry);
        const auto mistake = entry ? model::cooperativeMistake(*experiment.module, *entry, launch, profile)
                                   : std::optional<Message>();
        if (mistake)
            return fail(FaultKind::Usage,
                        Message(english("kernel \"{0}\": {1}"), ptx::shortName(launch.entry), *mistake));
    }
    return {};
}

Expected<void> canSimulate(Caches caches, const model::Profile& profile) {
    if (caches != Caches::On || profile.caches) return {};
    return fail(FaultKind::Usage, Message(english("the caches of {0} ({1}) are not known well enough to "
                                                  "simulate them; leave out --caches on, or choose cc90"),
                                          profile.card, profile.name));
}

// The pending simulation of an execution, to run once everything else is known.
using PendingCaches = std::unique_ptr<model::CacheSimulations>;

// One execution. pending: its cache simulation, if requested.
Expected<simt::Result> emulateOnce(const Experiment& experiment, std::span<Buffer> buffers,
                                   simt::Options options, Caches wanted, const model::Profile& profile,
                                   PendingCaches& pending) {
    pending.reset();
    if (wanted != Caches::Off) {
        pending = std::make_unique<model::CacheSimulations>(
            *experiment.module, experiment.launches, profile,
            wanted == Caches::On ? ~u64{0} : model::CacheSimulations::kMostRequests, std::nullopt,
            options.threads);
        options.requestSink = pending->sinkMaker();
    }
    return simt::run(*experiment.module, experiment.launches, buffers, options);
}

}  // namespace

Expected<model::Profile> profileNamed(const std::string& nameOrFile) {
    if (nameOrFile.empty()) return model::defaultProfile();
    if (nameOrFile.ends_with(".toml")) return model::readProfile(nameOrFile);
    if (const model::Profile* profile = model::findProfile(nameOrFile)) return *profile;
    std::vector<std::string> names;
    std::vector<Message> all;
    for (const model::Profile& profile : model::profiles()) {
        names.push_back(profile.name);
        all.push_back(Message::plain(profile.name));
    }
    return fail(
        FaultKind::Usage,
        Message(
            english("there is no profile '{0}'{1} (the profiles are {2}; a file of your own ends in .toml)"),
            nameOrFile, didYouMean(nameOrFile, names), listed(all)));
}

u64 sharedBytes(const ptx::Module& module, const Launch& launch) {
    const ptx::Function* entry = module.findEntry(launch.entry);
    return entry ? ptx::sharedLayout(module, *entry, launch.dynamicSharedBytes).totalBytes
                 : launch.dynamicSharedBytes;
}

bool Run::hasFaults() const {
    return std::ranges::any_of(recording.findings,
                               [](const trace::Finding& f) { return !trace::isRemark(f.kind); });
}

std::optional<bool> Run::correct() const {
    if (hasFaults() || gpuFault) return false;
    if (!comparison) return std::nullopt;
    return comparison->correct;
}

namespace {

// With a GPU, the emulator is only supplementary: a kernel too large for it is stopped after this.
constexpr std::chrono::seconds kMostEmulation{10};

// The kernel is not at fault: the GPU may run it.
bool isOnlyForGpu(const Fault& fault) {
    return fault.kind == FaultKind::Unsupported || fault.kind == FaultKind::TooLarge;
}

bool isCancelled(const Options& options) {
    return options.emulator.progress && options.emulator.progress->cancelled;
}

Unexpected canceledRun() { return fail(FaultKind::Cancelled, english("The run was canceled")); }

// Of a run that somebody watches nothing is wanted once it is canceled.
std::function<bool()> unwanted(const Options& options, const EarlyListener& early) {
    if (!early.focus) return {};
    return [&options] { return isCancelled(options); };
}

Fault note(FaultKind kind, Message message) { return fail(kind, std::move(message)).value(); }

// The profile, and a note if it is not the device's own.
Expected<model::Profile> profileFor(const Options& options, const ChosenDevice& chosen,
                                    std::vector<Fault>& notes) {
    if (!chosen.device || !options.profile.empty()) return profileNamed(options.profile);
    const model::Profile& profile =
        model::nearestProfile(u32(chosen.device->major), u32(chosen.device->minor));
    if (profile.major != u32(chosen.device->major) || profile.minor != u32(chosen.device->minor)) {
        const std::string own =
            std::to_string(chosen.device->major) + "." + std::to_string(chosen.device->minor);
        notes.push_back(note(FaultKind::Gpu, Message(english("there is no profile of compute capability {0} "
                                                             "({1}); the model follows the rules of {2}"),
                                                     own, chosen.device->name, profile.name)));
    }
    return profile;
}

// Runs it on the emulator the requested number of times; returns the results of the last execution.
// isUnwanted: whether it is canceled and nothing of it is wanted; may be empty.
Expected<std::vector<Buffer>> emulate(const Experiment& experiment, const simt::Options& options,
                                      const SamplePlan& sample, u32 repeat, Caches caches, Run& run,
                                      PendingCaches& pending, const std::function<bool()>& isUnwanted) {
    std::vector<Buffer> results;
    std::vector<f64> seconds;
    for (u32 execution = 0; execution < std::max(repeat, 1u); ++execution) {
        if (!copyBuffers(experiment.buffers, results, isUnwanted)) return canceledRun();
        Expected<simt::Result> result =
            emulateOnce(experiment, results, options, caches, run.profile, pending);
        if (!result) return Unexpected{result.error()};
        run.recording.counts = std::move(result->counts);
        run.recording.trace = std::move(result->trace);
        run.recording.findings = std::move(result->findings);
        run.recording.sequential = result->statistics.sequential;
        run.recording.complete = result->statistics.complete;
        if (!options.sample.empty()) run.recording.sample = sampleOf(experiment, sample, *result);
        run.statistics = result->statistics;
        seconds.push_back(result->statistics.seconds);
        if (!run.statistics.complete) break;
    }
    if (seconds.size() > 1) run.repeatSeconds = seconds;
    run.statistics.seconds = median(std::move(seconds));
    return results;
}

// The emulator did not complete within `limit`; the kernel is not at fault, since it completed on the GPU.
void forgetEmulation(std::chrono::nanoseconds limit, Run& run) {
    std::erase_if(run.recording.findings,
                  [](const trace::Finding& f) { return f.kind == trace::FindingKind::Limit; });
    run.recording.counts.clear();
    run.recording.complete = true;
    const std::string seconds = fmt::format("{:g}", std::chrono::duration<f64>(limit).count());
    run.notes.push_back(note(
        FaultKind::Gpu,
        Message(
            english("the emulator was stopped after {0} s, for this size is too large for it: the model's "
                    "counters are left out, results and measurements are the GPU's"),
            seconds)));
}

// The emulator's outcome, if it was used.
struct Emulation {
    std::optional<Fault> refused;  // the kernel is beyond what it can run
    std::optional<std::chrono::nanoseconds> limit;
    bool ran = false;  // to its end or to its limit
};

// Stores the GPU's outcome in the run, beside the emulator's trace. Fault if neither ran it: the first
// reason.
Expected<void> takeGpuRun(GpuRun gpu, const Options& options, const Emulation& emulation,
                          std::vector<Buffer>& results, Run& run) {
    for (Fault& n : gpu.notes)
        run.notes.push_back(std::move(n));
    if (!gpu.results) {
        CHECK(gpu.fault, "no results without a reason");
        const bool isCancelled = gpu.fault->kind == FaultKind::Cancelled;
        if ((options.backend == "gpu" || !emulation.ran) && !gpu.kernelIsToBlame && !isCancelled)
            return Unexpected{options.backend != "gpu" && emulation.refused ? *emulation.refused
                                                                            : *gpu.fault};
        if (isCancelled)
            run.recording.complete = false;
        else if (gpu.kernelIsToBlame)
            run.gpuFault = *gpu.fault;
        if (!isCancelled) run.notes.push_back(*gpu.fault);
        return {};
    }
    run.measured = std::move(gpu.measured);
    run.recording.backend = "gpu";
    run.recording.device = run.measured->device;
    if (run.emulated) {
        run.measured->emulator = compareBits(*gpu.results, results);
    } else if (emulation.ran && emulation.limit) {
        forgetEmulation(*emulation.limit, run);
    }
    run.recording.findings.insert(run.recording.findings.end(), gpu.findings.begin(), gpu.findings.end());
    results = std::move(*gpu.results);
    return {};
}

// Fewer are simulated within a frame or two, so an early picture would not be seen. 4 million take a second.
constexpr u64 kWorthShowingEarly = 200'000;
// Of recorded accesses, through which hints are looked for: 2.5 million take a second.
constexpr u64 kWorthShowingHints = 40'000;

// With inputs and the check of the result, so many thread instructions take some 20 ms.
constexpr f64 kWorthShowingFocus = 5e6;

// The catalog has its own names for a family's buffers.
void nameAsInSource(Run& run) {
    const std::vector<std::string> names =
        namesInSource(*run.module, run.recording.launches, run.recording.initial);
    if (run.comparison && run.comparison->first)
        for (std::size_t b = 0; b < names.size(); ++b)
            if (run.comparison->first->buffer == run.recording.initial[b].name) {
                run.comparison->first->buffer = names[b];
                break;
            }
    for (std::vector<Buffer>* buffers : {&run.recording.initial, &run.recording.final})
        for (std::size_t b = 0; b < std::min(names.size(), buffers->size()); ++b)
            (*buffers)[b].name = names[b];
}

void describe(const Experiment& experiment, const model::Profile& profile, Run& run) {
    run.module = experiment.module;
    run.recording = describeExperiment(experiment, profile);
    run.profile = profile;
    run.source = experiment.source;
    run.warnings = experiment.warnings;
}

void report(Run& run) {
    if (run.catalog) nameAsInSource(run);
    run.report = model::makeReport(*run.module, run.recording, run.profile, registersPerThread(run));
}

// One box of the whole grid, whose blocks run at the same time; those of several boxes run box after box.
trace::SampleBox allTogether(std::span<const trace::SampleBox> boxes) {
    trace::SampleBox all{.first = boxes.front().first, .last = boxes.back().last, .blocks = {}};
    for (const trace::SampleBox& box : boxes)
        all.blocks.insert(all.blocks.end(), box.blocks.begin(), box.blocks.end());
    std::ranges::sort(all.blocks);
    return all;
}

// Some blocks alone, for a grid of many more.
struct FocusRun {
    std::shared_ptr<Run> run;  // with the experiment's own contents, which are given back behind the picture
    f64 ofGrid = 0;            // thread instructions of all blocks, if they do as much as these
};
// block: this one; none: those that are recorded. None: it would hardly be sooner, or these blocks would do
// something else.
std::optional<FocusRun> runFocus(Experiment& experiment, simt::Options emulator, const Options& options,
                                 const model::Profile& profile, std::optional<Dim3> block) {
    if (isCancelled(options)) return {};
    constexpr u64 kManyMore = 6;
    Options few = options;
    few.sampleBlocks = 1;  // and those in focus
    few.caches = Caches::Off;
    if (block) {
        emulator.focus = {*block};
        emulator.focusAll = false;
    }
    Expected<SamplePlan> plan = planWithoutProof(
        experiment, few, block ? std::span<const Dim3>(&*block, 1) : std::span<const Dim3>());
    if (!plan || plan->boxes.empty()) return {};
    u64 blocks = 0, of = 0;
    for (std::vector<trace::SampleBox>& boxes : plan->boxes) {
        boxes = {allTogether(boxes)};
        blocks += boxes.front().blocks.size(), of += boxes.front().count();
    }
    if (of < kManyMore * blocks) return {};
    Run run;
    describe(experiment, profile, run);
    emulator.sample = plan->boxes;
    PendingCaches none;
    Expected<std::vector<Buffer>> results =
        emulate(experiment, emulator, *plan, 1, Caches::Off, run, none, [&] { return isCancelled(options); });
    if (!results || !run.recording.complete) return {};
    u64 executed = 0;  // as launch_size.cpp counts them
    for (const trace::GridCounts& counts : run.recording.counts)
        for (const trace::PcCounts& at : counts.perPc)
            executed += at.activeLanes;
    const f64 ofGrid = f64(executed) * f64(of) / f64(blocks);
    const u64 most = options.emulator.mostThreadInstructions;
    if (ofGrid < kWorthShowingFocus || (most && ofGrid > f64(most))) return {};  // too large: see --sample
    run.catalog = experiment.catalog;
    for (Buffer& buffer : experiment.buffers)
        run.recording.initial.push_back(
            {buffer.name, buffer.type, buffer.shape, std::exchange(buffer.bytes, {})});
    run.recording.final = std::move(*results);
    report(run);
    return FocusRun{std::make_shared<Run>(std::move(run)), ofGrid};
}

// A copy takes as long as the buffers are large, so that it is made when the run is on show already.
void show(const FocusRun& focus, Experiment& experiment, const Options& options, const EarlyListener& early) {
    early.focus(focus.run);
    for (std::size_t b = 0; b < experiment.buffers.size(); ++b)
        if (!copyBytes(focus.run->recording.initial[b].bytes, experiment.buffers[b].bytes,
                       [&] { return isCancelled(options); }))
            return;
}

// Of a grid that takes a second or more, all recorded blocks are there before it is done.
constexpr f64 kLongGrid = 2e10;  // thread instructions

// What is looked at first, and the other recorded blocks where it takes long until they are there.
void showFocus(Experiment& experiment, const simt::Options& emulator, const Options& options,
               const model::Profile& profile, const EarlyListener& early) {
    if (early.block && experiment.launches.size() == 1)
        if (std::optional<FocusRun> one = runFocus(experiment, emulator, options, profile, early.block)) {
            const bool isLong = one->ofGrid >= kLongGrid;
            if (!early.isEnough || early.isEnough(*one->run)) {
                show(*one, experiment, options, early);
                if (!isLong) return;
            } else {
                for (std::size_t b = 0; b < experiment.buffers.size(); ++b)
                    experiment.buffers[b].bytes = std::move(one->run->recording.initial[b].bytes);
            }
        }
    if (std::optional<FocusRun> all = runFocus(experiment, emulator, options, profile, {}))
        show(*all, experiment, options, early);
}

u64 recordedAccesses(const Run& run) {
    u64 accesses = 0;
    for (const trace::FocusBlock& block : run.recording.trace.blocks)
        for (const trace::WarpTrace& warp : block.warps)
            accesses += warp.accesses.size();
    return accesses;
}

// Runs the pending simulation and adds it to the run, which is shown meanwhile.
void takeCaches(PendingCaches pending, const Options& options, const EarlyListener& early, Run& run) {
    const std::atomic<bool>* cancelled =
        options.emulator.progress ? &options.emulator.progress->cancelled : nullptr;
    const bool isLong = (pending && pending->requests() >= kWorthShowingEarly) ||
                        (options.wantsHints && recordedAccesses(run) >= kWorthShowingHints);
    if (run.recording.complete && isLong && early.run && !(cancelled && *cancelled)) early.run(run);
    if (!pending) return;
    beginActivity(Activity::Caches);
    run.caches = pending->counts(cancelled, early.caches);
    if (run.caches && run.emulated) run.report.counters.merge(run.caches->counters());
}

}  // namespace

Expected<Run> run(Experiment experiment, const Options& options) {
    return run(std::move(experiment), options, {});
}

Expected<Run> run(Experiment experiment, const Options& given, const EarlyListener& early) {
    const Expected<SamplePlan> sample = planSample(experiment, given);
    if (!sample) return Unexpected{sample.error()};
    const bool isSampled = !sample->boxes.empty();
    Options options = given;
    if (isSampled || options.emulator.cooperative) options.backend = "emulator";
    const Expected<ChosenDevice> chosen = chooseDevice(options);
    if (!chosen) return Unexpected{chosen.error()};
    Run run;
    if (chosen->why) run.notes.push_back(*chosen->why);
    const Expected<model::Profile> profile = profileFor(options, *chosen, run.notes);
    if (!profile) return Unexpected{profile.error()};
    if (const Expected<void> known = canSimulate(options.caches, *profile); !known)
        return Unexpected{known.error()};
    simt::Options emulator = onDevice(options.emulator, *experiment.module, *profile);
    if (!experiment.catalog)
        for (const Launch& launch : experiment.launches)
            if (const Expected<void> fits = checkLaunch(*experiment.module, launch, emulator.limits); !fits)
                return Unexpected{fits.error()};
    if (const Expected<void> fits = checkCooperative(experiment, emulator, *profile); !fits)
        return Unexpected{fits.error()};
    emulator.initial = experiment.buffers;
    emulator.sample = sample->boxes;
    // Caches are shared by all blocks: some of them say nothing about them.
    const Caches wantedCaches = isSampled ? Caches::Off : options.caches;
    if (chosen->device)
        emulator.limit =
            std::min<std::chrono::nanoseconds>(emulator.limit.value_or(kMostEmulation), kMostEmulation);

    describe(experiment, *profile, run);
    beginActivity(Activity::Emulating);
    if (early.focus && !chosen->device && !isSampled)
        showFocus(experiment, emulator, options, *profile, early);
    const std::function<bool()> isUnwanted = unwanted(options, early);
    if (isUnwanted && isUnwanted()) return canceledRun();
    std::vector<Buffer> results;
    PendingCaches caches;
    Emulation emulation{.refused = {}, .limit = emulator.limit};
    if (!chosen->device || options.gpu.emulate) {
        Expected<std::vector<Buffer>> emulated =
            emulate(experiment, emulator, *sample, options.repeat, wantedCaches, run, caches, isUnwanted);
        // What the emulator does not support, the GPU may; what no device accepts is rejected at once.
        if (!emulated && (!chosen->device || !isOnlyForGpu(emulated.error())))
            return Unexpected{emulated.error()};
        emulation.ran = emulated.has_value();
        if (emulated)
            results = std::move(*emulated);
        else
            run.notes.push_back(*(emulation.refused = emulated.error()));
    }
    run.emulated = emulation.ran && run.recording.complete;
    if (isUnwanted && isUnwanted()) return canceledRun();
    if (!emulation.ran) results = experiment.buffers;
    if (chosen->device && !isCancelled(options)) {
        GpuRun gpu = runOnGpu(experiment, options, run.recording.findings);
        if (const Expected<void> taken = takeGpuRun(std::move(gpu), options, emulation, results, run); !taken)
            return Unexpected{taken.error()};
        if (run.measured && run.recording.complete && !isCancelled(options))
            takeGpuTrace(traceOnGpu(experiment, options, *chosen->device, run.recording.findings), run);
    }

    if (experiment.catalog && run.recording.complete && !run.gpuFault && !isSampled) {
        beginActivity(Activity::Checking);
        experiment.catalog->buffers = std::move(experiment.buffers);
        const std::atomic<bool>* cancelled = emulator.progress ? &emulator.progress->cancelled : nullptr;
        const auto reference = catalog::computeReference(*experiment.catalog, cancelled);
        if (!reference) return Unexpected{reference.error()};
        if (cancelled && *cancelled)
            run.notes.push_back(note(FaultKind::Cancelled,
                                     english("the result is not checked: the run was canceled before the CPU "
                                             "reference was computed")));
        else if (!reference->empty())
            run.comparison = catalog::compare(*experiment.catalog, *reference, results);
        experiment.buffers = std::move(experiment.catalog->buffers);
        experiment.catalog->buffers.clear();
    }
    if (experiment.reference && run.recording.complete && !run.gpuFault && !isSampled) {
        beginActivity(Activity::Checking);
        const auto comparison =
            compareWith(*experiment.reference, experiment.buffers, results, emulator, run.notes);
        if (!comparison) return Unexpected{comparison.error()};
        run.comparison = *comparison;
        if (*comparison) run.recording.check = resultCheck(experiment.reference->text, **comparison);
    }
    run.catalog = std::move(experiment.catalog);
    run.reference = std::move(experiment.reference);
    run.recording.initial = std::move(experiment.buffers);
    run.recording.final = std::move(results);
    report(run);
    takeCaches(std::move(caches), options, early, run);
    if (options.wantsHints && !isCancelled(options)) findHints(run);
    return run;
}

Expected<Run> reopen(trace::Recording recording, const std::string& profileName,
                     const catalog::Catalog* catalog) {
    const Expected<model::Profile> profile = profileNamed(profileName);
    if (!profile) return Unexpected{profile.error()};
    if (recording.sample && recording.sample->unproved == trace::Unproved::UnderWay)
        recording.sample->unproved = trace::Unproved::Stopped;  // when it was saved
    Expected<ptx::Module> module = ptx::parse(recording.ptx, recording.entry);
    if (!module) return Unexpected{module.error()};
    if (const Words mistake = mistakeIn(recording, *module); !mistake.empty())
        return fail(
            FaultKind::Damaged,
            Message(english("this recording does not fit its own PTX: {0}; record it again with --save"),
                    mistake));
    module->sources.resize(module->files.size());
    for (const auto& [file, text] : recording.sources)
        for (std::size_t i = 0; i < module->files.size(); ++i)
            if (module->files[i] == file) module->sources[i] = text;

    Run run;
    run.module = std::make_shared<ptx::Module>(std::move(*module));
    if (catalog) run.catalog = variantOf(recording, *catalog);
    run.recording = std::move(recording);
    if (run.recording.check) run.comparison = comparisonOf(*run.recording.check);
    run.traceSource = "recording";
    run.profile = *profile;
    run.source = run.module->files.size() > 1 ? run.module->files[1] : run.recording.entry;
    if (run.catalog) nameAsInSource(run);
    run.report = model::makeReport(*run.module, run.recording, *profile);
    findHints(run);
    return run;
}

}  // namespace lockstep::run
