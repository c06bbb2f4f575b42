// Watches one block's shared memory: reads of bytes that nobody wrote, races between warps, and reliance on
// lock step within a warp.
//
// A conflict: two threads, one byte, at least one a store, not both atomic, and nothing that orders them.
//   different warps                            Race
//   lanes of one warp, different instructions  WarpSynchronous
//   lanes of one store instruction             Race if their values differ
// A store that leaves the bytes as they are is no conflict with earlier stores (many threads set one flag to
// the same value), unless it stores poison or a NaN in a block that has read poison: on a GPU such values
// differ. Where an access has conflicts of both kinds at once, the Race is reported. What is
// reported is true always; it is also complete up to the first finding at a place between two barriers.
//
// What orders: block-wide barriers; named barriers and mbarriers, between those that arrive and those that
// pass (a clock per warp: a warp that arrives speaks for all its lanes); bar.warp.sync among the lanes of its
// mask; and flags in shared memory: a fence and then a strong store or atomic (or .release), read by a strong
// load or atomic with a fence behind it (or .acquire). A volatile store is strong once its warp has executed
// a fence in this block, and plain before: volatile is no barrier.
//
// Memory: 24 bytes per 4-byte word (per byte or half word in kernels that access these: it finds out by
// itself). Cost, with two other threads on the core: a row of 32 lanes 25 ns, one word for all 60, a column
// 100, the loads of a tiled matrix multiply 145. A new block costs nothing: entries name the epoch they were
// made in.
#pragma once

#include "trace/shadow/finding_collector.h"
#include "trace/shadow/memory_order.h"

#include <array>
#include <unordered_map>
#include <vector>

namespace lockstep::trace {

class SharedShadow {
public:
    // One per resident block, used for block after block of a launch. Lane l of warp w is the thread of
    // linear index 32 * w + l. firstEpoch: for tests of what happens when epochs run out.
    SharedShadow(LaunchId launch, Dim3 blockExtents, u32 firstEpoch = 1);

    // memory: the block's shared memory, looked at only where two stores meet. All of it counts as unwritten.
    void beginBlock(Dim3 block, u32 sharedBytes, const std::byte* memory, FindingCollector& findings);

    // Call it before the access takes effect, with lanes that are in bounds and aligned only. AsyncCopy means
    // cp.async's store. values, of a store: lane n's at n * widthBytes; null: all stores count as different.
    // before: what those bytes held until then, laid out alike, for a caller who tells of it later; null: the
    // block's memory holds it still.
    void access(Warp warp, const WarpAccess& access, Strength strength = {},
                const std::byte* values = nullptr, const std::byte* before = nullptr);

    // Bytes that hold something without a store that is reported as an access (an mbarrier's own object).
    void markWritten(u32 offsetBytes, u32 bytes);

    // The bytes of this block that are written, in ascending order.
    struct Run {
        u32 offsetBytes = 0, bytes = 0;
        bool operator==(const Run&) const = default;
    };
    std::vector<Run> written() const;
    // Grows whenever there is something to report, or only the values stored decide that there is not. Where
    // it stays, the same accesses after a barrier are quiet again, if no less is written.
    u64 judgements() const { return judgements_; }

    // Every thread of the block that is still there has reached the barrier: all before it comes before all
    // after it.
    void blockBarrier();

    // Barriers of some warps. `barrier` is any number that tells them apart (its id; an mbarrier's address
    // with the top bit set). bar.sync: each warp arrive()s as it comes, complete() when the count is reached,
    // then each that waited pass()es. bar.arrive: arrive() alone. mbarrier: arrive(), complete() when the
    // phase flips, pass() on a wait that succeeds.
    void arrive(Warp warp, u32 barrier);
    void complete(u32 barrier);
    void pass(Warp warp, u32 barrier);

    // bar.warp.sync: the lanes of the mask have met. Not for shuffles and votes, which order no memory.
    void warpSync(Warp warp, LaneMask mask);
    // membar, fence, __threadfence_block(), of any scope.
    void fence(Warp warp);

private:
    static constexpr u32 kMostWarps = 32;           // 1,024 threads
    using WarpClock = std::array<u32, kMostWarps>;  // by warp: its last epoch that is known
    using LaneClocks = std::array<std::array<u32, kWarpSize>, kWarpSize>;

    // Who touched a granule: epoch, warp, two of the lanes, what kind of access and where; see
    // shared_shadow.cpp.
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
        u32 epoch = 0;  // of what it does now
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
    struct Call;   // one access under way
    struct Worst;  // conflict of it

    void load(const Call& call);
    static u64 rowOf(const Call& call);
    bool loadRow(const Call& call);
    bool storeRow(const Call& call);
    u32 loadQuietly(const Call& call);
    bool joinReaders(const Call& call, u32 lane, u64 granule);
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
    void report(const Call& call, u32 lane, FindingKind kind, Slot slot, int otherLane);
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
        anothers_;  // groups of lanes that read since, or worked atomically; without `other` no `another`
    std::vector<Site> sites_;
    std::vector<u32> siteByPc_;

    // Epochs only grow, from block to block too.
    u32 next_;            // not yet given to anyone
    u32 blockStart_;      // up to here: earlier blocks
    u32 phaseStart_ = 0;  // up to here: ordered before everything that comes
    u32 storeCall_ = 0;
    u64 judgements_ = 0;
    std::array<WarpState, kMostWarps> warps_;
    std::unordered_map<u32, LaneClocks>
        laneClocks_;  // of warps that synchronized some of their lanes in this phase
    std::unordered_map<u32, BarrierState> barriers_;
    std::unordered_map<u32, WarpClock> flags_;  // by granule: what its last release published
    bool hasFlagsRead_ = false;
    bool hasClocks_ =
        false;  // there was something in this phase besides barriers of the whole block and of whole warps
};

}  // namespace lockstep::trace
