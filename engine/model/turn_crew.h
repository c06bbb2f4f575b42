// Host threads that work in turns: all begin one together, and it is over when all have done their part.
#pragma once

#include "base/integers.h"

#include <barrier>
#include <functional>
#include <thread>
#include <vector>

namespace lockstep::model {

class TurnCrew {
public:
    // threads: of which the caller's is one. work: gets the thread's number.
    TurnCrew(u32 threads, std::function<void(u32)> work) : work_(std::move(work)), meeting_(threads) {
        for (u32 thread = 1; thread < threads; ++thread)
            others_.emplace_back([this, thread] {
                for (;;) {
                    meeting_.arrive_and_wait();
                    if (ending_) return;
                    work_(thread);
                    meeting_.arrive_and_wait();
                }
            });
    }
    ~TurnCrew() {
        ending_ = true;
        meeting_.arrive_and_wait();
        for (std::thread& other : others_) other.join();
    }
    TurnCrew(const TurnCrew&) = delete;
    TurnCrew& operator=(const TurnCrew&) = delete;

    void turn() {
        meeting_.arrive_and_wait();
        work_(0);
        meeting_.arrive_and_wait();
    }

private:
    std::function<void(u32)> work_;
    std::barrier<> meeting_;
    bool ending_ = false;  // written and read on either side of a meeting
    std::vector<std::thread> others_;
};

}  // namespace lockstep::model
