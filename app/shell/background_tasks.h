// What takes a moment and is done beside the frames: reading a recording, looking for kernels in a file,
// waiting for a dialog.
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
    // `wake` is called, from the task's thread, when there is something to be taken.
    explicit BackgroundTasks(std::function<void()> wake) : wake_(std::move(wake)) {}

    // Nothing comes of it where it has none to hand back. An task that may take long ends soon after a stop
    // is requested.
    void run(std::function<std::vector<app::Action>(std::stop_token)> task);
    std::vector<app::Action> take();

private:
    std::function<void()> wake_;
    std::mutex mutex_;
    std::vector<app::Action> arrived_;
    std::vector<std::jthread> threads_;  // the last member: they end before what they use
};

}  // namespace lockstep::shell
