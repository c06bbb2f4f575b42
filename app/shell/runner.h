// Runs experiments in the background, one at a time and at a lower priority than the frames, on the emulator
// or in the GPU worker process, and returns Actions.
#pragma once

#include "app/shell/files/recorded_machines.h"
#include "app/state/action.h"
#include "base/progress.h"
#include "cuda/compiler/disassemble.h"
#include "cuda/worker/worker.h"
#include "run/resources.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace lockstep::shell {

// The sources of experiments and the available backends.
struct RunnerParts {
    const catalog::Catalog& catalog;
    run::Resources resources;
    std::optional<cuda::WorkerCommand> gpuWorker;      // none: only the emulator
    std::shared_ptr<const RecordedMachines> machines;  // provide measurements for runs without; may be null
};

// Lowers the priority of the calling thread, and of every thread and process that it starts, below the
// frames'. Failure has no other effect.
void stepBehindTheFrames();

class Runner {
public:
    // `wake` is called, from the runner's thread, whenever a result is ready.
    Runner(RunnerParts parts, std::function<void()> wake);
    ~Runner();
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;

    // Replaces a waiting job for the same side; the running one has already been canceled.
    void start(app::StartRun job);
    // Runs once no job waits: initializing a driver takes a second or two.
    void lookForGpus();
    // Runs once no job waits: the toolkit takes up to a second. A new run of that side replaces it.
    void readMachineCode(app::ReadMachineCode wanted);
    // Runs once no job waits and no machine code is asked for; replaces another such request.
    void time(app::TimeIssues wanted);
    // Runs its points one after another, whenever no job waits; a new run interrupts a point, which is run
    // again afterwards. Replaces another sweep.
    void sweep(app::RunSweep job);
    void cancelSweep();  // the point under way is given up
    // Results since the last call: RunArrived, RunFailed, MachineCodeRead, FixesFound, IssuesArrived,
    // GpusFound, SweepPointArrived.
    std::vector<app::Action> take();

private:
    void work();
    void arrive(app::Action action);
    app::Action execute(const app::StartRun& job);
    std::optional<app::Action> read(const app::ReadMachineCode& wanted);
    void finishReading(const app::ReadMachineCode& wanted, std::optional<app::Action> done);
    std::optional<app::Action> timeIssues(const app::TimeIssues& wanted);
    app::Action findGpus();
    std::optional<app::Action> findFixes(const std::shared_ptr<const run::Run>& of);
    void finishFixes(const std::shared_ptr<const run::Run>& of, std::optional<app::Action> done);
    std::optional<app::Action> sweepOn(const app::RunSweep& job, std::size_t number,
                                       const std::shared_ptr<app::JobProgress>& progress);
    void finishPoint(u64 ticket, std::optional<app::Action> done);

    RunnerParts parts_;
    std::optional<cuda::Worker> gpuWorker_;  // used only by the runner's thread
    std::function<void()> wake_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::array<std::optional<app::StartRun>, 2> waiting_;  // the run, and the one beside it
    std::vector<app::Action> arrived_;
    std::shared_ptr<Progress> underWay_;
    std::array<std::optional<app::ReadMachineCode>, 2> unread_;  // machine code requests, by side
    // Runs whose hints may name a variant that cures them, by side; run once nothing else of theirs waits.
    std::array<std::shared_ptr<const run::Run>, 2> unfixed_;
    std::optional<app::TimeIssues> untimed_;
    Progress fixing_;                        // canceled by a new run
    std::atomic<bool> readsInVain_ = false;  // a run waits for the reader
    cuda::Disassembler disassembler_{
        cuda::TextCache::ofUser("machine-code")};  // used only by the runner's thread
    std::optional<app::RunSweep> sweep_;
    std::size_t nextPoint_ = 0;                     // of sweep_
    std::shared_ptr<app::JobProgress> sweptPoint_;  // of the point under way
    bool looksForGpus_ = false, ending_ = false;
    std::thread thread_;
};

// Runs one choice to its end on the calling thread; gpuWorker: if the job uses a GPU. early: called with
// what is known before the whole grid has run, and before its caches are known, if these take long.
Expected<run::Run> runChoice(const RunnerParts& parts, const app::StartRun& job, cuda::Worker* gpuWorker,
                             const std::function<void(std::shared_ptr<run::Run>)>& early = {});

}  // namespace lockstep::shell
