// Watches one block's shared memory: uninitialized reads, races between warps, and assumed warp-synchronous
// execution within a warp.
//
// A conflict: two threads, one byte, at least one a store, not both atomic, without synchronization.
//   different warps                            Race
//   lanes of one warp, different instructions  WarpSynchronous
//   lanes of one store instruction             Race if their values differ
// A store that leaves the bytes as they are is no conflict with earlier stores (many threads set one flag to
// the same value), unless it stores poison or a NaN in a block that has read poison: on a GPU such values
// differ. If an access has conflicts of both kinds, the Race is reported. Reports are always true; they are
// also complete up to the first finding at an address between two barriers.
//
// What orders: block-wide barriers; named barriers and mbarriers, between those that arrive and those that
// pass (a clock per warp: a warp that arrives counts for all its lanes); bar.warp.sync among the lanes of its
// mask; and flags in shared memory: a fence and then a strong store or atomic (or .release), read by a strong
// load or atomic followed by a fence (or .acquire). A volatile store is strong once its warp has executed a
// fence in this block, and plain before: volatile is no barrier.
//
// Memory: 24 bytes per 4-byte word (per byte or half word in kernels that access these: detected
// automatically). Cost, with two other threads on the core: a row of 32 lanes 25 ns, one word for all 60, a
// column 100, the loads of a tiled matrix multiply 145. A new block costs nothing: entries name the epoch
// they were made in.
#pragma once

#include "trace/shadow/finding_collector.h"
#include "trace/shadow/memory_order.h"
#include "trace/shadow/shared_findings.h"
#include "trace/shadow/shared_run.h"

#include <array>
#include <unordered_map>
#include <vector>

namespace lockstep::trace {

class SharedShadow {
public:
    // One per resident-block slot, reused within a launch. Lane l of warp w is the thread of linear index 32
    // * w + l. firstEpoch: for tests of what happens when epochs run out.
    SharedShadow(LaunchId launch, Dim3 blockExtents, u32 firstEpoch = 1);

    // memory: the block's shared memory, read only when stores overlap. All of it counts as unwritten.
    void beginBlock(Dim3 block, u32 sharedBytes, const std::byte* memory, FindingCollector& findings);

    // Call before the access takes effect, only with lanes that are in bounds and aligned. AsyncCopy means
    // cp.async's store. values, of a store: lane n's at n * widthBytes; null: all stores count as different.
    // before: the bytes' previous contents in the same layout, for a caller that reports later; null: still
    // in the block's memory.
    void access(Warp warp, const WarpAccess& access, Strength strength = {},
                const std::byte* values = nullptr, const std::byte* before = nullptr);

    // Marks bytes as written without a reported store (an mbarrier object).
    void markWritten(u32 offsetBytes, u32 bytes);

    // Warps that have executed a fence in this block, in an earlier phase, by number.
    void markFenced(u32 warps);

    // The written bytes of this block, ascending.
    std::vector<SharedRun> written() const;
    // Grows whenever stored values decide whether there is a finding. If unchanged, the same accesses after a
    // barrier have the same findings, provided the same bytes are written and the same warps have executed a
    // fence in the block.
    u64 comparisons() const { return comparisons_; }
    // What is found is also noted here from now on; null: no longer.
    void noteFindings(SharedFindings* noted) {
        noted_ = noted;
        if (noted) areAllNoted_ = true;
    }
    bool areAllNoted() const { return areAllNoted_; }  // false: there were too many
    // Findings of another block in this one; any time, in the order of blocks.
    void repeat(const SharedFindings& noted, Dim3 block, u32 sharedBytes, FindingCollector& findings) const;

    // Every thread of the block that has not exited has reached the barrier: all before it is ordered before
    // all after it.
    void blockBarrier();

    // Barriers of some warps. `barrier` is any unique number (its id; an mbarrier's address with the top bit
    // set). bar.sync: arrive() for each arriving warp, complete() when the count is reached, then pass() for
    // each that waited. bar.arrive: arrive() alone. mbarrier: arrive(), complete() when the phase flips,
    // pass() on a wait that succeeds.
    void arrive(Warp warp, u32 barrier);
    void complete(u32 barrier);
    void pass(Warp warp, u32 barrier);

    // bar.warp.sync: the lanes of the mask have synchronized. Not for shuffles and votes, which order no
    // memory.
    void warpSync(Warp warp, LaneMask mask);
    // membar, fence, __threadfence_block(), of any scope.
    void fence(Warp warp);

private:
    static constexpr u32 kMostWarps = 32;           // 1,024 threads
    using WarpClock = std::array<u32, kMostWarps>;  // by warp: its last known epoch
    using LaneClocks = std::array<std::array<u32, kWarpSize>, kWarpSize>;

    // Who accessed a granule: epoch, warp, two of the lanes, kind of access and site; see shared_shadow.cpp.
    using Slot = u64;
    // Epochs apart from the rest, so that those of a row of granules are compared at once.
    struct Slots {
        std::vector<u32> epochs, who;
        Slot at(u64 granule) const { return u64{epochs[granule]} << 32 | who[granule]; }
        void set(u64 granule, Slot slot) {
            epochs[granule] = u32(slot >> 32);
            who[granule] = u32(slot);
        }
        void resize(std::size_t granules);
        void refine(u32 factor);
    };
    struct WarpState {
        u32 epoch = 0;  // of its current accesses
        u32 floor = 0;  // its epochs up to here are ordered for all its lanes
        bool fencedInPhase = false, fencedInBlock = false;
        WarpClock clock{};           // of the other warps, beyond phaseStart_
        std::vector<u32> flagsRead;  // granules, until a fence
    };
    struct BarrierState {
        WarpClock gathering{}, released{};
    };
    struct Site {
        Pc pc;
        AccessKind kind;
    };
    static constexpr u32 kMostEpochs = 0xffff0000;
    struct Call;   // the current access
    struct Worst;  // conflict of it

    void load(const Call& call);
    static u64 rowOf(const Call& call);
    bool loadRow(const Call& call);
    bool storeRow(const Call& call);
    u32 loadQuietly(const Call& call);
    bool joinReaders(const Call& call, u32 lane, u64 granule);
    int storerInTheWay(const Call& call, u32 lane, u64 granule) const;
    void loadOne(const Call& call, u32 lane, u64 granule);
    void store(const Call& call);
    void storeOne(const Call& call, u32 lane, u64 granule);
    bool isPoisoned(const Call& call, u32 lane, u64 granule) const;
    static bool isRowOver(const Call& call, const Slots& slots, u64 first);
    static bool isRowOwn(const Call& call, const Slots& slots, u64 first, u64 flags);
    static void leaveRow(Slots& slots, u64 first, u64 key);
    Worst worstOf(const Call& call, u32 lane, u64 granule);
    void atomic(const Call& call);
    void synchronize(const Call& call, Strength strength);
    void acquire(WarpState& warp, u32 warpNumber, const WarpClock& released);

    u32 siteOf(Pc pc, AccessKind kind);
    void refine(u32 shift);
    void startEpochs();
    void renew(WarpState& warp);
    void renumber();

    static bool orderedFor(const Call& call, u32 lane, Slot slot, u32 otherLane);
    static int conflictingLane(const Call& call, u32 lane, Slot slot);
    void addGroup(const Call& call, u32 lane, u64 granule);
    void report(const Call& call, u32 lane, const Worst& worst);
    void reportUnwritten(const Call& call, u32 lane);
    void tell(const Call& call, FindingKind kind);
    template <class HowInLane>
    void give(const SharedFindings::InAccess& of, HowInLane inLane, Dim3 block, u32 sharedBytes,
              FindingCollector& findings) const;
    Finding findingOf(const SharedFindings::InAccess& of, const SharedFindings::InLane& inLane, u32 lane,
                      Dim3 block, u32 sharedBytes) const;
    template <class Visit> void forEachGranule(const Call& call, LaneMask lanes, Visit visit);

    const LaunchId launch_;
    const Dim3 extents_;
    const u32 threads_, warpCount_;

    FindingCollector* findings_ = nullptr;
    const std::byte* memory_ = nullptr;
    Dim3 block_{0, 0, 0};
    u32 sharedBytes_ = 0;

    u32 shift_ = 2;  // granules of 1 << shift_ bytes
    Slots stores_;   // the last store of each granule
    Slots others_,
        anothers_;  // groups of lanes that have read since, or used atomics; without `other` no `another`
    std::vector<Site> sites_;
    std::vector<u32> siteByPc_;

    // Epochs only grow, from block to block too.
    u32 next_;            // not yet assigned
    u32 blockStart_;      // up to here: earlier blocks
    u32 phaseStart_ = 0;  // up to here: ordered before everything that follows
    u32 storeCall_ = 0;
    u64 comparisons_ = 0;
    SharedFindings* noted_ = nullptr;
    bool areAllNoted_ = true;
    std::array<WarpState, kMostWarps> warps_;
    std::unordered_map<u32, LaneClocks>
        laneClocks_;  // of warps that synchronized some of their lanes in this phase
    std::unordered_map<u32, BarrierState> barriers_;
    std::unordered_map<u32, WarpClock> flags_;  // by granule: what its last release published
    bool hasFlagsRead_ = false;
    bool hasClocks_ =
        false;  // this phase had synchronization other than barriers of the whole block and of whole warps
};

}  // namespace lockstep::trace
