// The program's side of the worker process: jobs go in, outcomes come out, and no kernel can take the program
// down. A kernel cannot be stopped from within, and a context does not survive an illegal address: the
// process is killed, and the next job starts another.
#pragma once

#include "base/progress.h"
#include "cuda/worker/channel.h"
#include "cuda/worker/messages.h"

#include <atomic>
#include <chrono>
#include <string>
#include <vector>

namespace lockstep::cuda {

// The worker executable's path and arguments: our own binary with `gpu-worker`.
struct WorkerCommand {
    std::string program;
    std::vector<std::string> arguments;
};

struct JobLimits {
    std::optional<std::chrono::nanoseconds> limit;  // for everything from the first launch on
    Progress* progress = nullptr;           // of timed executions and counting passes; canceled ends the job
    std::function<void(Stage)> stage = {};  // called when another begins
};

// What had arrived when it ended, and why it ended early, if it did.
struct JobReport {
    std::optional<Outcome> outcome;
    std::optional<Timing> timing;
    std::optional<Counted> counted;
    std::optional<Fault> fault;     // Canceled, or Gpu
    bool timedOut = false;          // the fault is the limit
    bool kernelFailed = false;      // the fault is the kernel's: an illegal address and the like
    bool gpuIsLost = false;         // the fault is the GPU's: other jobs will fail, too
    Stage stage = Stage::Starting;  // the last that began
};

class Worker {
public:
    explicit Worker(WorkerCommand command) : command_(std::move(command)) {}
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    ~Worker();

    Expected<DriverInfo> devices();
    Expected<CounterSupport> counters(u32 device);
    JobReport run(const Job& job, const JobLimits& limits);

    u32 starts() const { return starts_; }  // processes so far

private:
    Expected<void> start();
    // Returns how it ended, as words for a Fault: "signal 11"; kills it if it does not exit within `grace`.
    Message end(std::chrono::milliseconds grace = std::chrono::milliseconds(10));
    template <class Reply> Expected<Reply> ask(const WorkerMessage& question);

    WorkerCommand command_;
    std::optional<Channel> channel_;
    int process_ = -1;
    u32 starts_ = 0;
};

}  // namespace lockstep::cuda
