// Watches one block's shared memory: reads of bytes that nobody wrote, races between warps, and reliance on lock step within a warp.
//
// What counts as a conflict: two threads, one byte, at least one a store, not both atomic, and nothing that orders them.
//   different warps                        -> Race
//   lanes of one warp, different instructions -> WarpSynchronous
//   lanes of one store instruction         -> Race if their values differ
// A store that leaves the bytes as they are is no conflict with earlier stores (many threads setting one flag to the same value).
// Where a thread has conflicts of both kinds at once, the Race is reported.
//
// What orders: block-wide barriers; named barriers and mbarriers between arrivers and those that pass (vector clocks of warps: one that
// arrives speaks for its whole warp); bar.warp.sync among the lanes of its mask; and flags in shared memory: a fence, then an atomic,
// volatile or relaxed store (or a release), read by another warp with a fence behind it (or an acquire). Volatile accesses count as strong, and so
// never race with each other, once their warp has executed a fence in this block; before that they are plain: volatile is no barrier.
//
// Costs: per 4-byte word 24 bytes (per byte, in kernels that access bytes: found out by itself). A conflict-free access of 32 lanes
// takes about 20-50 ns, of 32 lanes to one word less. A new block costs nothing: entries carry the number of the epoch they were made in.
#pragma once

#include <array>
#include <unordered_map>
#include <vector>

#include "trace/finding_collector.h"
#include "trace/memory_order.h"

namespace lockstep::trace {

class SharedShadow {
public:
    // One per resident block, used for block after block of a launch. Threads of warp w, lane l have the linear index 32 * w + l.
    SharedShadow(LaunchId launch, Dim3 blockExtents);

    // memory: the block's shared memory, which outlives the block; looked at only where two stores meet. All of it counts as unwritten.
    void beginBlock(Dim3 block, u32 sharedBytes, const std::byte* memory, FindingCollector& findings);

    // Call it before the access takes effect. Only lanes that are in bounds and aligned; AsyncCopy means cp.async's store to shared memory.
    // values: lane n's at n * widthBytes, of a store; null: stores of one instruction to one place count as different.
    void access(Warp warp, const WarpAccess& access, Strength strength = {}, const std::byte* values = nullptr);

    // The same for addresses base + strideBytes * lane.
    void accessAffine(Warp warp, Pc pc, LaneMask active, AccessKind kind, u8 widthBytes, u64 base, s64 strideBytes, Strength strength = {},
                      const std::byte* values = nullptr);

    // Bytes that hold something without a store that the machine reports (an mbarrier's own object).
    void markWritten(u32 offsetBytes, u32 bytes);

    // Every thread of the block that is still there has reached barrier 0 (or whichever it was): all before it is ordered before all after it.
    void blockBarrier();

    // Named barriers and mbarriers; `barrier` is any number that tells them apart (its id, or the mbarrier's address with the top bit set).
    // bar.sync of some warps: each arrive()s when it comes, complete() when the count is reached, then each pass()es.
    // bar.arrive: arrive() alone. An mbarrier's wait that succeeds: pass().
    void arrive(Warp warp, u32 barrier);
    void complete(u32 barrier);
    void pass(Warp warp, u32 barrier);

    // bar.warp.sync: the lanes of the mask have met. Not for shuffles and votes, which order no memory.
    void warpSync(Warp warp, LaneMask mask);
    // membar, fence, __threadfence_block(): of any scope.
    void fence(Warp warp, Scope scope = Scope::Block);

private:
    using Slot = u64;  // epoch << 32 | warp, lanes, atomic, site: see shared_shadow.cpp
    struct Entry {     // of one granule
        Slot store, other, another;  // the last store; two groups of lanes that read it or worked on it atomically
    };
    struct WarpState {
        u32 epoch = 0;      // of its accesses now
        u32 floor = 0;      // its own epochs up to here are ordered for all its lanes
        bool hasFenced = false, hasPartialSync = false;
        std::vector<u64> pendingFlags;                   // flags read, waiting for a fence
        std::array<std::array<u32, kWarpSize>, kWarpSize>* laneClocks = nullptr;
    };
    using WarpClock = std::array<u32, kWarpSize>;        // per warp of the block: its last epoch that is known
    struct Call;                                         // one access under way

    Dim3 extents_;
    LaunchId launch_;
    u32 warps_;
    FindingCollector* findings_ = nullptr;
    const std::byte* memory_ = nullptr;
    Dim3 blockAt_{0, 0, 0};
    u32 sharedBytes_ = 0;
    u32 granuleShift_ = 2;
    u32 next_ = 1;           // the next epoch
    u32 blockStart_ = 0;     // epochs up to here are other blocks'
    u32 phaseStart_ = 0;     // epochs up to here are ordered before everything that comes
};

}  // namespace lockstep::trace
