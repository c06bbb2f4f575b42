// Bounds, not predictions: the least time that each resource of a device needs for what a run asked of it. A
// kernel may take far longer; it cannot take less. Which bound is the largest says what would have to shrink
// first.
#pragma once

#include "base/text/message.h"
#include "model/caches/cache_counts.h"
#include "model/profiles/profile.h"
#include "model/report.h"

#include <optional>
#include <string>
#include <vector>

namespace lockstep::model {

struct Bound {
    std::string resource;  // "device_memory", "l2", "shared_memory", "issue_slots", "fp32", "fp64"
    f64 amount = 0;        // what was asked for, in `unit`
    std::string unit;      // "bytes", "wavefronts", "warp instructions", "operations"
    f64 perSecond = 0;     // the most that the device can do
    f64 leastMs() const { return perSecond > 0 ? 1e3 * amount / perSecond : 0; }
};

// A point of the roofline (Williams, Waterman, Patterson: Roofline, Communications of the ACM 52 (2009),
// 65-76).
struct RooflinePoint {
    f64 operations = 0,
        bytes = 0;  // floating-point operations, an FMA is two; bytes that device memory has to move at least
    f64 peakOperationsPerSecond = 0, bytesPerSecond = 0;
    f64 operationsPerByte() const { return bytes > 0 ? operations / bytes : 0; }
    // The most operations per second at that intensity.
    f64 attainable() const;
};

struct Bounds {
    std::vector<Bound> all;  // largest least time first; resources that the run asked nothing of are left out
    RooflinePoint roofline;
    bool knowsL2 = false;  // the profile has the bandwidth of L2; else nothing is said of it
    u32 multiprocessors = 0,
        multiprocessorsOfDevice = 0;  // that the largest grid can use, a block each: arithmetic, shared
                                      // memory and issue are bounded by these
    u64 blocks = 0, warps = 0;        // of the largest grid
    u64 warpSlots = 0;                // warps that can be resident on the whole device
    const Bound* binding() const { return all.empty() ? nullptr : &all.front(); }
};

// None where the profile has no clock and bandwidth. Only as many multiprocessors count as the grid has
// blocks. caches: what their simulation counted; without it nobody knows what L2 and device memory are asked
// for, and they are left out. Of L2 the reads: each sector once a launch. Of device memory: each sector that
// is read once, from an L2 that is empty at first, and stored sectors beyond what L2 holds. A multiplication
// that the compiler may fuse with an addition counts with it as one.
std::optional<Bounds> boundsOf(const ptx::Module& module, const trace::Recording& recording,
                               const Report& report, const std::optional<CacheCounts>& caches,
                               const Profile& profile);

// "device memory": of Bound::resource.
Message resourceName(const std::string& resource);
// Where Bounds::knowsL2 is false.
Words noBoundOfL2();

// On how many multiprocessors the bounds stand, where the grid is too small to use all; empty where it uses
// all.
Message multiprocessorsText(const Bounds& bounds);
// Why a measured time is far from its bound: the grid has too few warps to fill the device; empty where that
// is not so.
Message tooFewWarpsText(const Bounds& bounds, f64 measuredMs);

// "1.19", "19.4", "1,020"
std::string factorText(f64 factor);

// What a bound says, with a measured time where there is one.
Message describe(const Bounds& bounds, std::optional<f64> measuredMs);

}  // namespace lockstep::model
