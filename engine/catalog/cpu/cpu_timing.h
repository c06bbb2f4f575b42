// The family's computation as a textbook writes it for the CPU, timed on all cores of this machine.
#pragma once

#include "catalog/catalog.h"

#include <atomic>
#include <optional>
#include <vector>

namespace lockstep::catalog {

struct CpuTiming {
    u32 threads = 1;
    std::vector<f64> seconds;  // one a run, after those to warm up; empty if the first was canceled
};
// None where the family has no such loop. Runs until it has mostRuns, or half a second is over.
std::optional<CpuTiming> timeOnCpu(const Experiment& experiment, u32 mostRuns,
                                   const std::atomic<bool>* cancelled = nullptr);

}  // namespace lockstep::catalog
