// Runs experiments in the background, one at a time and at a lower priority than the frames, on the emulator
// or in the process that uses the GPU, and hands back Actions.
#pragma once

#include "app/shell/files/recorded_machines.h"
#include "app/state/action.h"
#include "cuda/compiler/disassemble.h"
#include "cuda/worker/worker.h"
#include "run/resources.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace lockstep::shell {

// Where experiments come from and what may run them.
struct RunnerParts {
    const catalog::Catalog& catalog;
    run::Resources resources;
    std::optional<cuda::WorkerCommand> gpuWorker;      // none: the emulator alone
    std::shared_ptr<const RecordedMachines> machines;  // give measurements to runs without; may be null
};

class Runner {
public:
    // `wake` is called, from the runner's thread, whenever something is ready to be taken.
    Runner(RunnerParts parts, std::function<void()> wake);
    ~Runner();
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;

    // Replaces a job for the same side that still waits; the one under way has been canceled by whoever
    // superseded it.
    void start(app::StartRun job);
    // Once nothing waits to be run: to wake a driver takes a second or two.
    void lookForGpus();
    // Once nothing waits to be run: the toolkit takes up to a second. A new run of that side takes its place.
    void readMachineCode(app::ReadMachineCode wanted);
    // What has arrived since the last call: RunArrived, RunFailed, MachineCodeRead, GpusFound.
    std::vector<app::Action> take();

private:
    void work();
    void arrive(app::Action action);
    app::Action execute(const app::StartRun& job);
    std::optional<app::Action> read(const app::ReadMachineCode& wanted);
    void finishReading(const app::ReadMachineCode& wanted, std::optional<app::Action> done);
    app::Action findGpus();

    RunnerParts parts_;
    std::optional<cuda::Worker> gpuWorker_;  // the runner's thread's alone
    std::function<void()> wake_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::array<std::optional<app::StartRun>, 2> waiting_;  // the run, and the one beside it
    std::vector<app::Action> arrived_;
    std::shared_ptr<Progress> underWay_;
    std::array<std::optional<app::ReadMachineCode>, 2> unread_;      // whose machine code is wanted, by side
    std::atomic<bool> readsInVain_ = false;                          // a run waits for the one who reads
    cuda::Disassembler disassembler_{cuda::ListingCache::ofUser()};  // the runner's thread's alone
    bool looksForGpus_ = false, ending_ = false;
    std::thread thread_;
};

// Runs one choice to its end on the calling thread; gpuWorker: where the job wants a GPU. early: is given the
// run before its caches are known, where they take long.
Expected<run::Run> runChoice(const RunnerParts& parts, const app::StartRun& job, cuda::Worker* gpuWorker,
                             const std::function<void(run::Run)>& early = {});

}  // namespace lockstep::shell
