// Whole-grid counts, collected during the run without events: how often each instruction was issued and, for
// each memory instruction, its distinct lane patterns and how often each occurred. Every hardware rule is a
// sum over these patterns.
#pragma once

#include "trace/access.h"

#include <array>
#include <vector>

namespace lockstep::trace {

// The addresses of 32 lanes relative to the lowest active lane. Two accesses with equal patterns cost the
// same on every device: rules depend only on the address modulo 256 and the distances between lanes.
struct Pattern {
    LaneMask active;
    u8 baseMod256 = 0;                        // of the lowest active lane's address
    std::array<s64, kWarpSize> deltaBytes{};  // from that address; 0 for inactive lanes
    u64 times = 0;
};

// What accesses cost on one device. Global memory: requests, and sectors, or transactions where the device
// counts those. Shared memory: wavefronts, and those of the loads that an atomic's loop makes.
struct AccessCost {
    u64 requests = 0, sectors = 0, wavefronts = 0, idealWavefronts = 0, loopLoads = 0, idealLoopLoads = 0;

    void add(const AccessCost& one, u64 times) {
        requests += one.requests * times, sectors += one.sectors * times;
        wavefronts += one.wavefronts * times, idealWavefronts += one.idealWavefronts * times;
        loopLoads += one.loopLoads * times, idealLoopLoads += one.idealLoopLoads * times;
    }
    bool operator==(const AccessCost&) const = default;
};

struct SiteCounts {  // one memory instruction, one launch
    Pc pc;
    Space space = Space::Global;
    AccessKind kind = AccessKind::Load;
    u8 widthBytes = 4;
    std::vector<Pattern>
        patterns;  // in order of first occurrence by ascending block (the same for every thread count)
    // A site with more than kMostPatterns distinct patterns, or more than its share of those of the launch
    // (pattern_counter.h), keeps none: all its executions are summed here, for the profile of the run. Else
    // these are 0.
    u64 overflowExecutions = 0, overflowActiveLanes = 0;
    AccessCost overflow{};
    // Addresses that depend on data have as many patterns as accesses: then it is quicker to add up what each
    // costs.
    static constexpr std::size_t kMostPatterns = 1024;
};

struct PcCounts {
    u64 executions = 0;   // warp instructions issued with at least one active lane
    u64 activeLanes = 0;  // whose guard is true: of a branch those that jump
    u64 divergent = 0;    // branches: how often the warp's active lanes diverged
};

struct GridCounts {                 // of one launch
    std::vector<PcCounts> perPc;    // index: Pc, size of the module's instructions
    std::vector<SiteCounts> sites;  // ascending pc
    u64 warpInstructions = 0;
    u64 threadInstructions = 0;  // of lanes whose guard is true, and of a branch all that arrive at it
};

}  // namespace lockstep::trace
