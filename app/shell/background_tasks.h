// Runs short tasks in the background: reading a recording, finding the kernels in a file, waiting for a
// dialog.
#pragma once

#include "app/state/action.h"

#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace lockstep::shell {

class BackgroundTasks {
public:
    // `wake` is called, from the task's thread, when there is a result to take.
    explicit BackgroundTasks(std::function<void()> wake) : wake_(std::move(wake)) {}

    // A task may return no action. A task that may take long must end soon after a stop is requested.
    void run(std::function<std::vector<app::Action>(std::stop_token)> task);
    // From a task that goes on.
    void tell(app::Action action);
    std::vector<app::Action> take();

private:
    std::function<void()> wake_;
    std::mutex mutex_;
    std::vector<app::Action> arrived_;
    std::vector<std::jthread> threads_;  // the last member: threads end before what they use
};

}  // namespace lockstep::shell
