#include "app/shell/runner.h"

#include "app/state/own_launch.h"
#include "cuda/driver_library.h"
#include "explain/cursor/same_place.h"
#include "explain/hints/hint.h"
#include "run/activity.h"
#include "run/find_hints.h"
#include "run/gpu/gpu_run.h"
#include "run/machine/read_issues.h"
#include "run/machine/read_machine_code.h"
#include "run/own/open_text.h"
#include "run/partial_result.h"
#include "run/recordings/times_facts.h"
#include "run/sweep/modeled_times.h"
#include "viz/issues_on_show.h"

#include <sys/resource.h>

#include <algorithm>

namespace lockstep::shell {
namespace {

// A kernel that hangs on the GPU is ended after this.
constexpr std::chrono::seconds kMostOnGpu{20};

Expected<run::Experiment> openOfCatalogue(const catalog::Catalog& catalog, const run::Resources& resources,
                                          const app::Choice& choice) {
    const auto found = catalog.lookUp(choice.family + "/" + choice.variant);
    if (!found) return Unexpected{found.error()};
    return run::open(resources, *found->first, *found->second, choice.values);
}

Expected<run::Experiment> openOwn(const app::OwnKernel& kernel, const app::SharedText& text) {
    Expected<run::FileRequest> request = app::requestOf(kernel);
    if (!request) return Unexpected{request.error()};
    request->takesOnlyKernel = true;  // it may have been renamed as the text was edited
    return text ? run::openText(*request, *text) : run::open(*request);
}

// Whether a variant of the catalog may be found that cures a hint of the run.
bool mayHaveFixes(const run::Run& run) {
    return run.catalog && run.hints && !run.hints->all.empty() &&
           run.statistics.threadInstructions <= run::kMostForFixes;
}

}  // namespace

void stepBehindTheFrames() {
    constexpr int kNice = 10;
    (void)setpriority(PRIO_PROCESS, 0, kNice);
}

Expected<run::Run> runChoice(const RunnerParts& parts, const app::StartRun& job, cuda::Worker* gpuWorker,
                             const std::function<void(std::shared_ptr<run::Run>)>& early) {
    Expected<run::Experiment> experiment = job.choice.own
                                               ? openOwn(*job.choice.own, job.text)
                                               : openOfCatalogue(parts.catalog, parts.resources, job.choice);
    if (!experiment) return Unexpected{experiment.error()};
    if (job.progress->cancelled) return fail(FaultKind::Cancelled, english("The run was canceled"));

    run::Options options;
    options.emulator.progress = job.progress.get();
    const run::ActivityListener activities(
        [&](run::Activity activity) { job.progress->activity = activity; });
    options.sampleBlocks = job.sampleBlocks;
    if (job.device && gpuWorker && !job.sampleBlocks) {
        options.gpu.worker = gpuWorker;
        options.gpu.device = *job.device;
        options.gpu.coldCache = job.coldTimes;
        options.emulator.limit = kMostOnGpu;
    }
    const std::vector<Dim3>& focus = job.focus;
    const Dim3 grid = experiment->launches.front().grid;
    constexpr u64 kSmallGrid = 16;  // every block of it is kept
    if (grid.count() <= kSmallGrid) {
        options.emulator.focusAll = true;
    } else if (!focus.empty()) {
        options.emulator.focus = simt::defaultFocus(grid);
        options.emulator.focus->insert(options.emulator.focus->end(), focus.begin(), focus.end());
    }
    std::vector<run::VariantAccess> variants;
    if (experiment->catalog && run::isToldByAccesses(*experiment->catalog->family))
        variants = run::accessesOfVariants(parts.resources, *experiment->catalog->family,
                                           experiment->catalog->values);
    const auto complete = [&](run::Run& run) {
        run.variants = variants;
        if (!parts.machines) return;
        if (const auto& machines = parts.machines->get())
            run::attachRecorded(run, **machines);
        else
            run.notes.push_back(machines.error());
    };
    const auto soFar = [&](std::shared_ptr<run::Run> run) {
        complete(*run);
        job.progress->total = 0;  // until it is known what comes next
        early(std::move(run));
    };
    const auto ofCaches = [&](u64 done, u64 total) {
        job.progress->restartAt(done);
        job.progress->total = total;
    };
    run::EarlyListener listener{.focus = soFar,
                                .run = [&](const run::Run& run) { soFar(std::make_shared<run::Run>(run)); },
                                .caches = ofCaches};
    if (job.before) {
        listener.block = job.at.block;
        listener.isEnough = [&](const run::Run& run) {
            return explain::samePlace(*job.before, job.at, run).has_value();
        };
    }
    Expected<run::Run> run = early ? run::run(std::move(*experiment), options, listener)
                                   : run::run(std::move(*experiment), options);
    if (run) complete(*run);
    return run;
}

Runner::Runner(RunnerParts parts, std::function<void()> wake)
    : parts_(std::move(parts)), wake_(std::move(wake)), thread_([this] { work(); }) {}

Runner::~Runner() {
    {
        const std::scoped_lock lock(mutex_);
        ending_ = true;
        waiting_ = {};
        readsInVain_ = fixing_.cancelled = true;
        if (underWay_) underWay_->cancelled = true;
        if (sweptPoint_) sweptPoint_->cancelled = true;
        if (untimed_) untimed_->progress->cancelled = true;
        sweep_.reset();
    }
    changed_.notify_one();
    thread_.join();
}

void Runner::cancelSweep() {
    const std::scoped_lock lock(mutex_);
    if (sweptPoint_) sweptPoint_->cancelled = true;
    sweep_.reset();
}

void Runner::start(app::StartRun job) {
    {
        const std::scoped_lock lock(mutex_);
        unread_[job.compared].reset();
        unfixed_[job.compared].reset();
        readsInVain_ = fixing_.cancelled = true;
        if (sweptPoint_) sweptPoint_->cancelled = true;
        waiting_[job.compared] = std::move(job);
    }
    changed_.notify_one();
}

void Runner::sweep(app::RunSweep job) {
    {
        const std::scoped_lock lock(mutex_);
        if (sweptPoint_) sweptPoint_->cancelled = true;
        sweep_ = std::move(job);
        nextPoint_ = 0;
    }
    changed_.notify_one();
}

void Runner::readMachineCode(app::ReadMachineCode wanted) {
    {
        const std::scoped_lock lock(mutex_);
        unread_[wanted.compared] = std::move(wanted);
    }
    changed_.notify_one();
}

void Runner::time(app::TimeIssues wanted) {
    {
        const std::scoped_lock lock(mutex_);
        untimed_ = std::move(wanted);
    }
    changed_.notify_one();
}

void Runner::lookForGpus() {
    {
        const std::scoped_lock lock(mutex_);
        looksForGpus_ = true;
    }
    changed_.notify_one();
}

std::vector<app::Action> Runner::take() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(arrived_, {});
}

// In the worker process, except the check for a driver: without one no process is started.
app::Action Runner::findGpus() {
    if (!parts_.gpuWorker || !cuda::isDriverInstalled())
        return app::GpusFound{{.names = std::vector<std::string>{}, .why = run::missingDriver()}};
    gpuWorker_.emplace(*parts_.gpuWorker);
    const Expected<cuda::DriverInfo> info = gpuWorker_->devices();
    if (!info) return app::GpusFound{{.names = std::vector<std::string>{}, .why = info.error()}};
    app::Gpus gpus{.names = std::vector<std::string>{}, .why = {}};
    for (const cuda::Device& device : info->devices)
        gpus.names->push_back(device.name);
    return app::GpusFound{std::move(gpus)};
}

void Runner::arrive(app::Action action) {
    const std::scoped_lock lock(mutex_);
    arrived_.push_back(std::move(action));
    wake_();
}

app::Action Runner::execute(const app::StartRun& job) {
    const auto early = [&](std::shared_ptr<run::Run> run) {
        if (!run->recording.sample) run::takeMachineCode(disassembler_, *run);
        arrive(app::RunArrived{job.ticket, std::move(run), job.device.has_value(), true});
    };
    Expected<run::Run> run = runChoice(parts_, job, gpuWorker_ ? &*gpuWorker_ : nullptr, early);
    if (!run) return app::RunFailed{job.ticket, run.error()};
    if (job.progress->cancelled)
        return app::RunFailed{job.ticket, Fault{.kind = FaultKind::Cancelled,
                                                .message = english("The run was canceled"),
                                                .place = {},
                                                .pc = {},
                                                .block = {},
                                                .thread = {}}};
    if (run->recording.complete) run::takeMachineCode(disassembler_, *run);
    return app::RunArrived{job.ticket, std::make_shared<const run::Run>(std::move(*run)),
                           job.device.has_value()};
}

// None if a run came in between.
std::optional<app::Action> Runner::read(const app::ReadMachineCode& wanted) {
    if (!disassembler_.of(*wanted.of->module, run::computeCapabilityOf(*wanted.of),
                          {.cancelled = &readsInVain_}) &&
        readsInVain_)
        return std::nullopt;
    auto run = std::make_shared<run::Run>(*wanted.of);
    run::takeMachineCode(disassembler_, *run);
    return app::MachineCodeRead{wanted.of, std::move(run)};
}

// None if it was canceled.
std::optional<app::Action> Runner::timeIssues(const app::TimeIssues& wanted) {
    auto shown = std::make_shared<viz::IssuesOnShow>(*wanted.shown);
    if (wanted.what == viz::Modeled::Waits)
        shown->set(run::readWaits(parts_.resources, disassembler_, *wanted.of, wanted.progress.get()));
    else if (wanted.what == viz::Modeled::Time)
        shown->set(run::readTime(parts_.resources, disassembler_, *wanted.of, wanted.progress.get()));
    else if (!shown->run && !shown->why)
        shown->set(run::readIssues(parts_.resources, disassembler_, *wanted.of, shown->launch, shown->block,
                                   wanted.progress.get()));
    if (wanted.beside && shown->beside && !shown->beside->run && !shown->beside->why) {
        auto beside = std::make_shared<viz::IssuesOnShow>(*shown->beside);
        beside->set(run::readIssues(parts_.resources, disassembler_, *wanted.beside, beside->launch,
                                    beside->block, wanted.progress.get()));
        shown->beside = std::move(beside);
    }
    if (wanted.progress->cancelled) return std::nullopt;
    return app::IssuesArrived{wanted.ticket, std::move(shown)};
}

// None if a run came in between, or there are no fixes.
std::optional<app::Action> Runner::findFixes(const std::shared_ptr<const run::Run>& of) {
    auto run = std::make_shared<run::Run>(*of);
    run::findFixes(parts_.resources, *run, &fixing_);
    const bool hasFix =
        std::ranges::any_of(run->hints->all, [](const explain::Hint& h) { return h.fix.has_value(); });
    if (fixing_.cancelled || !hasFix) return std::nullopt;
    return app::FixesFound{of, std::move(run)};
}

// Under the lock. An interrupted search is made again, unless a run of the same side superseded it.
void Runner::finishFixes(const std::shared_ptr<const run::Run>& of, std::optional<app::Action> done) {
    if (fixing_.cancelled) return;
    for (std::shared_ptr<const run::Run>& side : unfixed_)
        if (side == of) side.reset();
    if (!done) return;
    for (std::optional<app::ReadMachineCode>& side : unread_)
        if (side && side->of == of) side->of = done->as<app::FixesFound>()->run;
    arrived_.push_back(std::move(*done));
    wake_();
}

// Under the lock. An interrupted request stays pending, unless a run of the same side superseded it.
void Runner::finishReading(const app::ReadMachineCode& wanted, std::optional<app::Action> done) {
    if (!done) return;
    for (std::shared_ptr<const run::Run>& side : unfixed_)
        if (side == wanted.of) side = done->as<app::MachineCodeRead>()->run;
    std::optional<app::ReadMachineCode>& side = unread_[wanted.compared];
    if (side && side->of == wanted.of) side.reset();
    arrived_.push_back(std::move(*done));
    wake_();
}

// One point. None if a run came in between, or the sweep was canceled.
std::optional<app::Action> Runner::sweepOn(const app::RunSweep& job, std::size_t number,
                                           const std::shared_ptr<app::JobProgress>& progress) {
    const run::SweepTask& task = job.tasks[number];
    run::Sweep points = run::emptySweep(job.plan);
    const auto arrived = [&] {
        return app::SweepPointArrived{job.ticket, std::make_shared<const run::Sweep>(std::move(points)),
                                      number + 1, job.tasks.size()};
    };
    const auto failed = [&](const Fault& fault) {
        // Of the emulator's or the model's series, whose rules are those of the default profile.
        const Expected<model::Profile> profile = run::profileNamed({});
        const std::string device = !profile      ? std::string()
                                   : job.modeled ? run::modeledDevice(*profile)
                                                 : profile->name;
        run::addError(points, task, job.modeled ? run::SweepSource::Model : run::SweepSource::Emulator,
                      device, fault);
        return arrived();
    };
    const Expected<catalog::Values> values = run::valuesOf(job.plan, task);
    if (!values) return failed(values.error());
    const app::StartRun start{.ticket = job.ticket,
                              .choice = {job.plan.family->name, task.variant->name, *values},
                              .focus = {},
                              .progress = progress,
                              .device = job.device,
                              .coldTimes = job.coldTimes};
    Expected<run::Run> run = runChoice(parts_, start, gpuWorker_ ? &*gpuWorker_ : nullptr);
    if (progress->cancelled || job.progress->cancelled) return std::nullopt;
    if (!run) return failed(run.error());
    run::takeMachineCode(disassembler_, *run);
    run::addRun(points, task, *run);
    if (job.modeled) {
        run::addModeled(points, task, *run,
                        run::readTime(parts_.resources, disassembler_, *run, progress.get()));
        if (progress->cancelled || job.progress->cancelled) return std::nullopt;
    }
    return arrived();
}

// Under the lock. A point that was interrupted stays the next one, unless another sweep took its place.
void Runner::finishPoint(u64 ticket, std::optional<app::Action> done) {
    sweptPoint_.reset();
    if (!sweep_ || sweep_->ticket != ticket) return;
    const bool isCanceled = sweep_->progress->cancelled;
    if (done) ++nextPoint_;
    if (isCanceled || nextPoint_ >= sweep_->tasks.size()) sweep_.reset();
    if (!done || isCanceled) return;
    arrived_.push_back(std::move(*done));
    wake_();
}

void Runner::work() {
    stepBehindTheFrames();
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] {
            return ending_ || waiting_[0] || waiting_[1] || looksForGpus_ || unread_[0] || unread_[1] ||
                   unfixed_[0] || unfixed_[1] || untimed_ || sweep_;
        });
        if (ending_) return;
        std::optional<app::StartRun> job = std::exchange(waiting_[0] ? waiting_[0] : waiting_[1], {});
        if (!job && !looksForGpus_ && !unread_[0] && !unread_[1] && untimed_) {
            const app::TimeIssues wanted = *untimed_;
            lock.unlock();
            std::optional<app::Action> done = timeIssues(wanted);
            lock.lock();
            if (untimed_ && untimed_->ticket == wanted.ticket) untimed_.reset();
            if (done) arrived_.push_back(std::move(*done)), wake_();
            continue;
        }
        if (!job && !looksForGpus_ && !unread_[0] && !unread_[1] && (unfixed_[0] || unfixed_[1])) {
            const std::shared_ptr<const run::Run> of = unfixed_[0] ? unfixed_[0] : unfixed_[1];
            fixing_.cancelled = false;
            lock.unlock();
            std::optional<app::Action> done = findFixes(of);
            lock.lock();
            finishFixes(of, std::move(done));
            continue;
        }
        if (!job && !looksForGpus_ && !unread_[0] && !unread_[1]) {
            const app::RunSweep sweep = *sweep_;
            const std::size_t number = nextPoint_;
            sweptPoint_ = std::make_shared<app::JobProgress>();
            const std::shared_ptr<app::JobProgress> progress = sweptPoint_;
            progress->cancelled = sweep.progress->cancelled.load();
            lock.unlock();
            std::optional<app::Action> done = sweepOn(sweep, number, progress);
            lock.lock();
            finishPoint(sweep.ticket, std::move(done));
            continue;
        }
        if (!job && !looksForGpus_) {
            const app::ReadMachineCode wanted = unread_[0] ? *unread_[0] : *unread_[1];
            readsInVain_ = false;
            lock.unlock();
            std::optional<app::Action> done = read(wanted);
            lock.lock();
            finishReading(wanted, std::move(done));
            continue;
        }
        if (job)
            underWay_ = job->progress;
        else
            looksForGpus_ = false;
        lock.unlock();
        app::Action done = job ? execute(*job) : findGpus();
        lock.lock();
        underWay_.reset();
        if (const auto* run = done.as<app::RunArrived>(); job && run && mayHaveFixes(*run->run))
            unfixed_[job->compared] = run->run;
        arrived_.push_back(std::move(done));
        wake_();
    }
}

}  // namespace lockstep::shell
