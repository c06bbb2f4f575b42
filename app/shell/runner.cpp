#include "app/shell/runner.h"

#include <algorithm>

namespace lockstep::shell {

Expected<run::Run> runChoice(const catalog::Catalog& catalog, const run::Resources& resources, const app::Choice& choice,
                             const std::vector<Dim3>& focus, Progress* progress) {
    const auto found = catalog.lookUp(choice.family + "/" + choice.variant);
    if (!found) return Unexpected{found.error()};
    Expected<run::Experiment> experiment = run::open(resources, *found->first, *found->second, choice.values);
    if (!experiment) return Unexpected{experiment.error()};

    run::Options options;
    options.emulator.progress = progress;
    const Dim3 grid = experiment->launches.front().grid;
    constexpr u64 kSmallGrid = 16;  // every block of it is kept
    if (grid.count() <= kSmallGrid) {
        options.emulator.focusAll = true;
    } else if (!focus.empty()) {
        options.emulator.focus = simt::defaultFocus(grid);
        options.emulator.focus->insert(options.emulator.focus->end(), focus.begin(), focus.end());
    }
    return run::run(std::move(*experiment), options);
}

Runner::Runner(const catalog::Catalog& catalog, run::Resources resources, std::function<void()> wake)
    : catalog_(catalog), resources_(std::move(resources)), wake_(std::move(wake)), thread_([this] { work(); }) {}

Runner::~Runner() {
    {
        const std::scoped_lock lock(mutex_);
        ending_ = true;
        waiting_ = {};
        if (underWay_) underWay_->cancelled = true;
    }
    changed_.notify_one();
    thread_.join();
}

void Runner::start(app::StartRun job) {
    {
        const std::scoped_lock lock(mutex_);
        waiting_[job.beside] = std::move(job);
    }
    changed_.notify_one();
}

std::vector<app::Action> Runner::take() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(arrived_, {});
}

app::Action Runner::execute(const app::StartRun& job) const {
    Expected<run::Run> run = runChoice(catalog_, resources_, job.choice, job.focus, job.progress.get());
    if (!run) return app::RunFailed{job.ticket, run.error()};
    if (job.progress->cancelled)
        return app::RunFailed{job.ticket, Fault{.kind = FaultKind::Cancelled, .message = "The run was cancelled", .place = {}, .pc = {}, .block = {}, .thread = {}}};
    return app::RunArrived{job.ticket, std::make_shared<const run::Run>(std::move(*run))};
}

void Runner::work() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return ending_ || waiting_[0] || waiting_[1]; });
        if (ending_) return;
        std::optional<app::StartRun>& next = waiting_[0] ? waiting_[0] : waiting_[1];
        const app::StartRun job = std::move(*next);
        next.reset();
        underWay_ = job.progress;
        lock.unlock();
        app::Action done = execute(job);
        lock.lock();
        underWay_.reset();
        arrived_.push_back(std::move(done));
        wake_();
    }
}

}  // namespace lockstep::shell
