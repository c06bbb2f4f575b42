// Whether a run has to end early: canceled, out of time, printing too much, or abandoned for a restart.
#pragma once

#include "base/progress.h"

#include <atomic>
#include <chrono>
#include <optional>

namespace lockstep::simt {

class Stop {
public:
    using Clock = std::chrono::steady_clock;

    // mostPrinted: bytes that a block may print; 0: any number.
    Stop(Progress* progress, std::optional<Clock::time_point> deadline, u64 mostPrinted = 0)
        : progress_(progress), deadline_(deadline), mostPrinted_(mostPrinted) {}

    bool requested() {
        if (stopped_.load(std::memory_order_relaxed)) return true;
        if ((progress_ && progress_->cancelled.load(std::memory_order_relaxed)) ||
            (deadline_ && Clock::now() >= *deadline_) || flooded_.load(std::memory_order_relaxed))
            stopped_.store(true, std::memory_order_relaxed);
        return stopped_.load(std::memory_order_relaxed);
    }
    bool outOfTime() const { return deadline_ && Clock::now() >= *deadline_; }
    // How much a block has printed by now.
    void printed(u64 bytes) {
        if (mostPrinted_ && bytes > mostPrinted_) flooded_.store(true, std::memory_order_relaxed);
    }
    bool cancelled() const { return progress_ && progress_->cancelled.load(std::memory_order_relaxed); }
    bool stopped() const { return stopped_.load(std::memory_order_relaxed); }
    // For a restart: running blocks end, then the reason is cleared.
    void giveUp() { stopped_.store(true, std::memory_order_relaxed); }
    void reset() { stopped_.store(false, std::memory_order_relaxed); }

private:
    Progress* progress_;
    std::optional<Clock::time_point> deadline_;
    u64 mostPrinted_;
    std::atomic<bool> stopped_{false}, flooded_{false};
};

}  // namespace lockstep::simt
