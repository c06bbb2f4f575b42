// How a program's launches are run.
#pragma once

#include "base/progress.h"
#include "model/profiles/profile.h"

#include <chrono>

namespace lockstep::program {

struct ServerOptions {
    model::Profile profile;
    u64 memoryBytes = u64{4} << 30;
    std::chrono::nanoseconds limit{};  // of all launches together
    u32 threads = 0;
    u32 mostFindings = 1000;
    bool counts = true;  // counters of each launch
    Progress* progress = nullptr;
};

}  // namespace lockstep::program
