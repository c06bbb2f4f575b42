// Measurements of an experiment on a real GPU: just now, or in an earlier recording, here or elsewhere.
#pragma once

#include "base/integers.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockstep::run {

// Of several measurements of one thing, in milliseconds.
struct Spread {
    f64 median = 0, lowerQuartile = 0, upperQuartile = 0, least = 0, most = 0;
    u32 runs = 0;
};
// Quartiles are interpolated between neighbors. Needs at least one measurement.
Spread spreadOf(std::span<const f64> milliseconds);

struct KernelTiming {
    Spread kernel;  // all launches of the variant
    u32 batch = 1;  // executions between two events; each of the runs is their mean
    bool coldCache = false;
    f64 smMegahertz = 0;  // 0: not known
    struct Copy {
        u64 bytes = 0;
        f64 milliseconds = 0;
    };
    std::optional<Copy> toDevice, toHost;  // all buffers, from and to pageable memory
};

// How the results compare with the emulator's, bit for bit.
struct SameResults {
    u64 differing = 0;  // elements
    f64 largest = 0;    // difference; NaN where one side is
};

struct Measured {
    std::string recording;  // its name; empty: measured just now
    std::string device, driver, computeCapability;
    std::string date;            // of a recording
    std::vector<u32> registers;  // per thread; one per launch
    u32 blocksPerSm = 0;         // of the first launch; 0: not known
    std::optional<KernelTiming> timing;
    std::map<std::string, f64> counters;  // ncu's names without .sum, all launches, cold L2; empty: none
    u32 counterReadings = 0;              // how often they were read; which reading is kept: model::Stands
    std::optional<SameResults> emulator;  // none: not compared
};

// The counters to read: ncu's names without .sum.
std::span<const char* const> countedMetrics();

}  // namespace lockstep::run
