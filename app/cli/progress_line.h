// A line on standard error that tells what long work is at, and how far; only on a terminal.
#pragma once

#include "base/progress.h"
#include "run/activity.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace lockstep::cli {

// Of a run on the thread that makes it.
class ProgressLine {
public:
    explicit ProgressLine(const Progress& progress);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

private:
    std::atomic<run::Activity> activity_{run::Activity::Emulating};
    run::ActivityListener listener_{[this](run::Activity begun) { activity_ = begun; }};
    std::mutex mutex_;
    std::condition_variable wake_;
    bool done_ = false;
    std::thread thread_;
};

}  // namespace lockstep::cli
