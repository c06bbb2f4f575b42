// A progress line on standard error for long work; only on a terminal.
#pragma once

#include "base/progress.h"
#include "base/text/language.h"
#include "base/text/time_left.h"
#include "run/activity.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace lockstep::cli {

// For work on the thread that creates it; one at a time.
class ProgressLine {
public:
    ProgressLine(Language language, std::string what);  // "compiling saxpy.cu"
    ProgressLine(Language language, std::function<std::string()> sentence);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

private:
    std::mutex mutex_;
    std::condition_variable wake_;
    bool done_ = false;
    std::thread thread_;
};

// For a run. `of`: which one of many, "3 of 60: matmul/tiled".
class RunProgressLine {
public:
    RunProgressLine(Language language, const Progress& progress, std::string of = {});

private:
    std::atomic<run::Activity> activity_{run::Activity::Emulating};
    run::ActivityListener listener_{[this](run::Activity begun) { activity_ = begun; }};
    const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    TimeLeft left_;  // of the line's thread
    ProgressLine line_;
};

}  // namespace lockstep::cli
