// Lower bounds, not predictions: the least time that each resource of a device needs for a run. A kernel may
// take far longer; it cannot take less. The largest bound says what would have to shrink first.
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
    f64 amount = 0;        // demand, in `unit`
    std::string unit;      // "bytes", "wavefronts", "warp instructions", "operations"
    f64 perSecond = 0;     // peak rate of the device
    f64 leastMs() const { return perSecond > 0 ? 1e3 * amount / perSecond : 0; }
};

// A point of the roofline (Williams, Waterman, Patterson: Roofline, Communications of the ACM 52 (2009),
// 65-76).
struct RooflinePoint {
    f64 operations = 0,
        bytes = 0;  // floating-point operations, an FMA is two; least bytes transferred by device memory
    f64 peakOperationsPerSecond = 0, bytesPerSecond = 0;
    f64 operationsPerByte() const { return bytes > 0 ? operations / bytes : 0; }
    // Peak operations per second at that intensity.
    f64 attainable() const;
};

struct Bounds {
    std::vector<Bound> all;  // largest bound first; resources that the run did not use are omitted
    RooflinePoint roofline;
    bool knowsL2 = false;  // the profile has the bandwidth of L2; else there is no bound for L2
    u32 multiprocessors = 0,
        multiprocessorsOfDevice = 0;  // SMs that the largest grid can use, one block each: arithmetic, shared
                                      // memory and issue are bounded by these
    u64 blocks = 0, warps = 0;        // of the largest grid
    u64 warpSlots = 0;                // warps that can be resident on the whole device
    u32 launches = 0;
    std::optional<f64> launchMs{};  // what an empty kernel takes; none: not measured on the card
    f64 storesMs = 0;  // device memory alone, for what the cache simulation wrote to it in the run
    const Bound* binding() const { return all.empty() ? nullptr : &all.front(); }
};

// None if the profile has no clock and bandwidth. At most as many SMs count as the grid has blocks. caches:
// counts of the simulation; without it the demand on L2 and device memory is unknown, and both are omitted.
// L2: reads, each sector once per launch. Device memory: each sector read, once, from an initially empty L2,
// and stored sectors beyond what L2 holds. A multiplication and the addition it may be fused with count as
// one.
std::optional<Bounds> boundsOf(const ptx::Module& module, const trace::Recording& recording,
                               const Report& report, const std::optional<CacheCounts>& caches,
                               const Profile& profile);

// "device memory": of Bound::resource.
Message resourceName(const std::string& resource);
// If Bounds::knowsL2 is false.
Words noBoundOfL2();

// How many SMs the bounds assume, if the grid is too small to use all; empty if it uses all.
Message multiprocessorsText(const Bounds& bounds);
// That stores are in none of the bounds although they may take longer; empty otherwise.
Message storesText(const Bounds& bounds);
// That the bounds leave out launch overhead, where that is a good part of a measured time far from them;
// empty otherwise.
Message launchText(const Bounds& bounds, f64 measuredMs);
// Why a measured time is far from its bound: the grid has too few warps to fill the device; empty otherwise.
Message tooFewWarpsText(const Bounds& bounds, f64 measuredMs);

// A bound in words, with a measured time if there is one.
Message describe(const Bounds& bounds, std::optional<f64> measuredMs);

}  // namespace lockstep::model
