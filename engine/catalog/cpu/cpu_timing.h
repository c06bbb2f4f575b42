// Times the family's textbook CPU loop on all cores of this machine.
#pragma once

#include "catalog/catalog.h"

#include <atomic>
#include <optional>
#include <vector>

namespace lockstep::catalog {

struct CpuTiming {
    u32 threads = 1;
    std::vector<f64> seconds;  // one per run, after the warm-up; empty if the first was canceled
};
// None if the family has no such loop. Stops after mostRuns, or half a second.
std::optional<CpuTiming> timeOnCpu(const Experiment& experiment, u32 mostRuns,
                                   const std::atomic<bool>* cancelled = nullptr);

}  // namespace lockstep::catalog
