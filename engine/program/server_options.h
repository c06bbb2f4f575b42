// How a program's launches are run.
#pragma once

#include "base/progress.h"
#include "model/profiles/profile.h"

#include <atomic>
#include <chrono>
#include <set>

namespace lockstep::program {

// Which launches can be opened afterwards.
struct KeepOptions {
    u64 mostBytes = 0;     // of what they find in memory; 0: none are kept
    std::set<u64> only{};  // their numbers, from 1; empty: all, from the first on
};

struct ServerOptions {
    model::Profile profile;
    u64 memoryBytes = u64{4} << 30;
    std::chrono::nanoseconds limit{};  // of all launches together
    u32 threads = 0;
    u32 mostFindings = 1000;
    bool counts = true;  // counters of each launch
    Progress* progress = nullptr;
    std::atomic<u64>* launches = nullptr;  // counts those that were asked for; null: not counted
    KeepOptions keep{};
};

}  // namespace lockstep::program
