// Watches global memory during one launch: conflicts between blocks and within a block, and whether blocks touch each other's data.
//
// What counts as a conflict: two threads, one byte, at least one a store, not both strong (atomic, volatile, relaxed, acquire, release),
// and nothing that orders them. Different blocks, or different warps of one block: Race. Lanes of one store instruction: Race if the values differ.
// Lanes of one warp: WarpSynchronous, only for a load of what another lane stored by an earlier instruction. A store that leaves the bytes as they are is no
// conflict with earlier stores.
//
// What orders: within a block its barriers (a named barrier counts as one of the whole block: it may hide a race, never make one up), bar.warp.sync.
// Between blocks: a release (a Device fence by a warp, then a strong store or atomic of that warp; or .release) read by a strong load or atomic of
// another block with a fence or block barrier behind it (or .acquire); transitively. A release covers what the block did before its last barrier, and what its
// own warp did. The fence must be there: without it the plain accesses race.
//
// Modes. Parallel: blocks run on many threads at once; conflicts within a block are findings (deterministic), and anything that depends on the order of blocks
// (two blocks at one word, at least one writing, not both Reductions) only sets conflict(): then restart(Sequential) and run again from the initial
// contents, in ascending order, where the findings between blocks are made. Which interleaving was met does not matter: what two threads
// miss in passing is found by finish().
//
// Memory: 4 bytes per written granule (4 bytes of a buffer; 1 or 2 where elements are smaller), 12 in buffers whose readers are tracked, in pages
// allocated when first touched; 16 bytes per epoch = (block, phase, pc). At most 2^22 epochs: beyond, accesses are not tracked (complete() is false).
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "trace/finding_collector.h"
#include "trace/memory_order.h"

namespace lockstep::trace {

class GlobalBlockShadow;

class GlobalShadow {
public:
    enum class Mode : u8 { Parallel, Sequential };

    struct BufferSpec {
        u64 base = 0;            // device address, a multiple of 256
        u64 sizeBytes = 0;
        u32 elementBytes = 4;    // the least width it will be accessed with; if an access is narrower, the launch is restarted
        s32 index = -1;          // for findings: into the experiment's buffers; -1: a module variable
        bool tracksReads = false;  // true where the kernel may both read and write it: saves a restart
    };

    // All buffers of the launch, module variables included. `pcs`: instructions of the module.
    GlobalShadow(LaunchId launch, Dim3 gridExtents, Dim3 blockExtents, u32 pcs, std::span<const BufferSpec> buffers, Mode mode);
    ~GlobalShadow();

    // Parallel: blocks depended on each other. Blocks under way may be given up at once.
    bool conflict() const { return conflict_.load(std::memory_order_relaxed); }

    // Call it when all blocks have ended: completes conflict() and needsRestart().
    void finish();
    // Buffers (indices into the span given) that turned out to be both read and written while their readers were not tracked, or accessed in
    // smaller pieces than was said. Not empty: this run's findings may lack some; restart() and run again from the initial contents.
    const std::vector<u32>& needsRestart() const { return needsRestart_; }
    // Forgets everything but which buffers need reader tracking and how fine; the findings of the run given up are the caller's to drop.
    void restart(Mode mode);

    Mode mode() const { return mode_; }
    bool tracksReads(u32 buffer) const;
    bool complete() const { return !overflowed_.load(std::memory_order_relaxed); }

    // Sequential mode: did this block (linear) read or overwrite what another block wrote (atomics included)? Parallel without conflict(): no block did.
    bool dependsOnOthers(Block block) const;
    bool anyDepends() const { return anyDepends_; }

    u64 bytes() const;  // of memory in use

private:
    friend class GlobalBlockShadow;
    struct Buffer;
    struct Epochs;

    LaunchId launch_;
    Dim3 grid_, extents_;
    u32 pcs_;
    Mode mode_;
    std::vector<std::unique_ptr<Buffer>> buffers_;
    std::unique_ptr<std::atomic<u8>[]> flags_;
    std::unique_ptr<Epochs> epochs_;
    std::atomic<bool> conflict_{false}, overflowed_{false};
    std::vector<u32> needsRestart_;
    bool anyDepends_ = false;
    std::vector<bool> depends_;
};

// One block's view: one per resident block, used for block after block; in parallel mode each thread has its own.
class GlobalBlockShadow {
public:
    // Each resident block reports to the collector of the thread that runs it.
    GlobalBlockShadow(GlobalShadow& shadow, FindingCollector& findings);
    ~GlobalBlockShadow();
    GlobalBlockShadow(GlobalBlockShadow&&) noexcept;

    void beginBlock(Block linear);

    // Lanes of one access that lie within one buffer, in bounds and aligned. Call it before the access takes effect.
    // AsyncCopy is a load here. memory: the buffer's bytes, values: lane n's at n * widthBytes; both of stores only, looked at where two stores meet.
    // Cost: loads of buffers that nobody writes 1 ns; stores, and loads where readers are tracked, about 1-2 ns a lane.
    void access(Warp warp, u32 buffer, const WarpAccess& access, Strength strength = {}, const std::byte* values = nullptr,
                const std::byte* memory = nullptr);

    // True: this load needs no access(), for nobody has written the buffer so far and its readers are not tracked. It notes that the buffer is read.
    bool skipsLoad(u32 buffer) {
        const u8 flags = flags_[buffer].load(std::memory_order_relaxed);
        if (!(flags & kRead)) [[unlikely]] flags_[buffer].fetch_or(kRead, std::memory_order_relaxed);
        return !(flags & (kWritten | kTracksReads));
    }

    void blockBarrier();                     // block-wide, or a named barrier that has completed
    void warpSync(Warp warp, LaneMask mask);
    void fence(Warp warp, Scope scope);

private:
    friend class GlobalShadow;
    enum : u8 { kRead = 1, kWritten = 2, kTracksReads = 4, kTooCoarse = 8 };  // flags of a buffer, one way only during a run
    struct State;

    std::unique_ptr<State> state_;
    std::atomic<u8>* flags_;  // of the shadow, by buffer
};

}  // namespace lockstep::trace
