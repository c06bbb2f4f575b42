// Host threads that work in turns: all begin a turn together, and it ends when all have done their part.
#pragma once

#include "base/integers.h"
#include "base/platform/spin_pause.h"

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace lockstep::model {

class TurnCrew {
public:
    // threads: including the caller's. work: gets the thread's number.
    TurnCrew(u32 threads, std::function<void(u32)> work) : work_(std::move(work)) {
        for (u32 thread = 1; thread < threads; ++thread)
            others_.emplace_back([this, thread] {
                for (u32 before = 0;; ++before) {
                    untilNot(turns_, before);
                    if (ending_) return;
                    work_(thread);
                    if (working_.fetch_sub(1, std::memory_order_acq_rel) == 1) working_.notify_one();
                }
            });
    }
    ~TurnCrew() {
        ending_ = true;
        begin();
        for (std::thread& other : others_)
            other.join();
    }
    TurnCrew(const TurnCrew&) = delete;
    TurnCrew& operator=(const TurnCrew&) = delete;

    void turn() {
        working_.store(u32(others_.size()), std::memory_order_relaxed);
        begin();
        work_(0);
        for (u32 left; (left = working_.load(std::memory_order_acquire)) > 0;)
            untilNot(working_, left);
    }

private:
    void begin() {
        turns_.fetch_add(1, std::memory_order_release);
        turns_.notify_all();
    }
    // A turn takes some tens of microseconds, about as long as waking a thread: so they spin for a while
    // before they sleep.
    static void untilNot(const std::atomic<u32>& value, u32 old) {
        constexpr u32 kLooks = 1000;
        for (u32 look = 0; look < kLooks; ++look) {
            if (value.load(std::memory_order_acquire) != old) return;
            spinPause();
        }
        value.wait(old, std::memory_order_acquire);
    }

    std::function<void(u32)> work_;
    std::atomic<u32> turns_{0};    // begun
    std::atomic<u32> working_{0};  // others that have not done their part of this one
    bool ending_ = false;          // written before a turn begins, read after
    std::vector<std::thread> others_;
};

}  // namespace lockstep::model
