// Watches global memory during one launch: conflicts between blocks and within a block, and whether blocks
// access each other's data.
//
// A conflict: two threads, one byte, at least one a store, not both strong (atomic, volatile, relaxed,
// acquire, release), without synchronization. Between blocks, warps of one block, or lanes of one store
// instruction with different values: Race. Between lanes of one warp: WarpSynchronous, and only for a load of
// what another lane stored. A store that leaves the bytes as they are is no conflict with earlier stores.
//
// What orders: within a block its barriers (a named barrier counts as one of the whole block: that may hide a
// race, never invent one) and bar.warp.sync. Between blocks a release (a Device fence by a warp and then a
// strong store or atomic of that warp; or .release) that a strong load or atomic of another block reads,
// followed by a fence or block barrier (or .acquire); transitively. A release covers what the block did
// before its last barrier and what its own warp did before the fence. Without the writer's fence, the plain
// accesses race.
//
// Parallel: blocks run on many threads. Conflicts within a block are findings, the same in every run.
// Whatever depends on block order (two blocks at one address, at least one writing, not both Reductions) sets
// conflict(): then restart(Sequential) and run again from the initial contents, blocks in ascending order;
// that run reports the findings between blocks. finish() finds what two concurrent threads missed.
//
// Guessed first, and put right by a restart: a buffer is either loaded from or written; its granules (4
// bytes; 1 or 2 where its elements are smaller) are stored once, or accessed by atomics of one kind. Guessed
// next, of a buffer that is both: each granule is accessed by one thread alone, its owner.
//
// Memory: a bit per granule and thread where the first guess holds (once_map.h). Else 4 bytes per granule
// that has an owner or is written, 12 in buffers whose readers are tracked, in pages allocated on first
// access; a sixteenth of that in pages of which only whole lines of 32 granules are accessed; and 16 bytes
// per epoch (block, phase, pc), of which there can be 2^22: later accesses are not watched (complete() is
// false).
#pragma once

#include "trace/shadow/buffer_habit.h"
#include "trace/shadow/finding_collector.h"
#include "trace/shadow/memory_order.h"
#include "trace/shadow/once_map.h"

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace lockstep::trace {

class GlobalBlockShadow;
class GlobalEpochs;
class GlobalReleases;

class GlobalShadow {
public:
    enum class Mode : u8 { Parallel, Sequential };

    using Keeps = trace::Keeps;
    struct BufferSpec {
        u64 base = 0;  // device address, a multiple of 256
        u64 sizeBytes = 0;
        u32 elementBytes = 4;       // the smallest access width; smaller ones require a restart
        s32 index = -1;             // for findings: into the experiment's buffers; -1: a module variable
        Keeps keeps = Keeps::Bits;  // more saves a restart
    };

    // All buffers of the launch, module variables included. guessesOwners: false where blocks synchronize, so
    // that they probably read what others wrote.
    GlobalShadow(LaunchId launch, Dim3 gridExtents, Dim3 blockExtents, u32 pcs,
                 std::span<const BufferSpec> buffers, Mode mode, bool guessesOwners = true);
    ~GlobalShadow();

    // Parallel: blocks depended on each other; the findings of this run are not complete.
    bool conflict() const { return conflict_.load(std::memory_order_relaxed); }
    // This run has to restart, because of conflict() or needsRestart(): running blocks may be abandoned.
    bool isDoomed() const { return doomed_.load(std::memory_order_relaxed); }

    // Call when all blocks have ended: completes conflict() and needsRestart().
    void finish();
    // Buffers (indices into the span given) of which a guess was wrong: read and written while their readers
    // were not tracked, stored to twice, or accessed in smaller pieces than declared. If there are any,
    // restart() and run again from the initial contents.
    const std::vector<u32>& needsRestart() const { return needsRestart_; }
    // Clears everything but what is known of the buffers by now. The caller drops the
    // abandoned run's findings.
    void restart(Mode mode);

    Mode mode() const { return mode_; }
    // As far as the runs before the last restart have shown.
    bool isReadAndWritten(u32 buffer) const;
    BufferHabit habitOf(u32 buffer) const;
    bool complete() const;

    // Sequential: did this block (linear) read or overwrite what another block had written, or access it
    // atomically (except two Reductions)? Parallel: false; without conflict() no block did.
    bool dependsOnOthers(Block block) const { return block.value < depends_.size() && depends_[block.value]; }

    u64 bytes() const;  // of memory in use

    struct Buffer;  // global_pages.h
    struct Page;

private:
    friend class GlobalBlockShadow;
    // What a view claims to have stored to, by buffer. In sequential mode all views share one.
    struct Claims {
        std::vector<u64> tags;  // how many of stores
        OnceMap once;
    };
    Claims& newClaims();
    bool isStoredToByTwo(u32 buffer) const;
    bool hasLostOwners(u32 buffer) const;
    u64 claimedTags(u32 buffer) const;
    void findWhatThreadsMissed();

    const LaunchId launch_;
    const Dim3 grid_, extents_;
    const u32 pcs_;
    const bool guessesOwners_;
    Mode mode_;
    std::vector<std::unique_ptr<Buffer>> buffers_;
    std::unique_ptr<std::atomic<u16>[]> flags_;  // of buffers; see GlobalBlockShadow
    std::unique_ptr<GlobalEpochs> epochs_;
    std::unique_ptr<GlobalReleases> releases_;
    std::atomic<bool> conflict_{false}, doomed_{false};
    std::vector<u32> needsRestart_;
    std::vector<bool> depends_;  // by block, up to the last that did
    u32 generation_ = 0;         // restarts so far
    std::mutex claimsMutex_;
    std::deque<Claims> claims_;  // since the last restart
};

// One block's view: one per resident-block slot, reused; in parallel mode each thread has its own.
class GlobalBlockShadow {
public:
    // findings: of the thread that runs the block.
    GlobalBlockShadow(GlobalShadow& shadow, FindingCollector& findings);
    ~GlobalBlockShadow();
    GlobalBlockShadow(GlobalBlockShadow&&) noexcept;

    void beginBlock(Block linear);

    // The lanes of one access that lie within one buffer, in bounds and aligned; before the access takes
    // effect. AsyncCopy is a load here. For stores that overlap: values (lane n's at n * widthBytes) and
    // memory (the buffer's bytes); null: all count as different. Cost: a line of 32 lanes 15-30 ns, other
    // rows 40-150 ns.
    void access(Warp warp, u32 buffer, const WarpAccess& access, Strength strength = {},
                const std::byte* values = nullptr, const std::byte* memory = nullptr);

    // The same of a weak load or store by all 32 lanes, whose addresses follow each other from that of lane
    // 0: the others need not be filled in. False: they need to be; call access().
    bool accessRun(Warp warp, u32 buffer, const WarpAccess& access);

    // True: this weak load needs no access(), because the buffer has not been written so far and its readers
    // are not tracked. Marks the buffer as read.
    bool skipsLoad(u32 buffer) {
        const u16 flags = flags_[buffer].load(std::memory_order_relaxed);
        if (!(flags & kRead)) [[unlikely]]
            flags_[buffer].fetch_or(kRead, std::memory_order_relaxed);
        return !(flags & (kWritten | kTracksReads | kOwned));
    }

    // Weak stores by whole warps of a block, all that it does there, instead of access() of each. False: more
    // is kept of this buffer, or in smaller pieces, and nothing was noted. displacedBytes: the block's
    // granules are so far behind the footprint's.
    bool storeAll(u32 buffer, const Footprint& footprint, u64 displacedBytes);
    // Of the granules of this buffer.
    u32 granuleShift(u32 buffer) const;
    u64 baseOf(u32 buffer) const;

    // False: access() of a store looks at no values.
    bool comparesValues(u32 buffer) const {
        return flags_[buffer].load(std::memory_order_relaxed) & (kTracksReads | kKeepsTags);
    }

    void blockBarrier();  // block-wide, or a completed named barrier
    void warpSync(Warp warp, LaneMask mask);
    void fence(Warp warp, Scope scope);

    struct State;  // global_block_shadow.cpp

private:
    friend class GlobalShadow;
    enum : u16 {
        kRead = 1,
        kWritten = 2,
        kTracksReads = 4,
        kKeepsTags = 8,
        kTooCoarse = 16,
        kMixed = 32,  // strong and weak in one granule, or two of the next three
        kStored = 64,
        kTaken = 128,    // by atomics whose old values are used
        kReduced = 256,  // by reductions
        kRewritten = 512,
        kOwned = 1024,
        kShared = 2048,  // a granule of an owned buffer by two threads, or by an atomic
    };                   // of a buffer; set, never cleared
    static u16 flagsOf(GlobalShadow::Keeps keeps) {
        using enum GlobalShadow::Keeps;
        return keeps == All ? kTracksReads : keeps == Stores ? kKeepsTags : keeps == Owners ? kOwned : 0;
    }

    std::unique_ptr<State> state_;
    std::atomic<u16>* flags_;
};

}  // namespace lockstep::trace
