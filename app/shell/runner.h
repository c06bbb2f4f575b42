// Runs experiments in the background, one at a time, and hands back Actions.
#pragma once

#include <array>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "app/state/action.h"
#include "run/resources.h"

namespace lockstep::shell {

class Runner {
public:
    // `wake` is called, from the runner's thread, whenever something is ready to be taken.
    Runner(const catalog::Catalog& catalog, run::Resources resources, std::function<void()> wake);
    ~Runner();
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;

    // Replaces a job for the same side that still waits; the one under way has been cancelled by whoever superseded it.
    void start(app::StartRun job);
    // What has arrived since the last call: RunArrived and RunFailed.
    std::vector<app::Action> take();

private:
    void work();
    app::Action execute(const app::StartRun& job) const;

    const catalog::Catalog& catalog_;
    run::Resources resources_;
    std::function<void()> wake_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::array<std::optional<app::StartRun>, 2> waiting_;  // the run, and the one beside it
    std::vector<app::Action> arrived_;
    std::shared_ptr<Progress> underWay_;
    bool ending_ = false;
    std::thread thread_;
};

// Runs one choice to its end on the calling thread.
Expected<run::Run> runChoice(const catalog::Catalog& catalog, const run::Resources& resources, const app::Choice& choice,
                             const std::vector<Dim3>& focus, Progress* progress);

}  // namespace lockstep::shell
