// A line on standard error that tells how far long work is; only on a terminal.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/progress.h"

namespace lockstep::cli {

class ProgressLine {
public:
    explicit ProgressLine(const Progress& progress);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

private:
    std::mutex mutex_;
    std::condition_variable wake_;
    bool done_ = false;
    std::thread thread_;
};

}  // namespace lockstep::cli
