// Which thread accessed a global address, in 32 bits: a tag is an epoch number and a thread of its block. An
// epoch is one instruction of one block between two synchronization points; it is numbered on first use.
#pragma once

#include "trace/access.h"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>

namespace lockstep::trace {

struct GlobalEpoch {
    u32 block = 0;
    u32 phase = 0;  // barriers of the block before it
    u32 pc = 0;
    u32 syncs : 28 = 0;  // of the thread's warp before it
    u32 isStrong : 1 = 0;
    u32 kind : 3 = 0;  // AccessKind

    // Comparable within one warp of one block.
    u64 time() const { return u64{phase} << 32 | syncs; }
    bool writes() const {
        return AccessKind(kind) != AccessKind::Load && AccessKind(kind) != AccessKind::AsyncCopy;
    }
    bool isReduction() const { return AccessKind(kind) == AccessKind::Reduction; }
};

constexpr u32 kThreadBits = 10;
constexpr u32 epochOf(u32 tag) { return tag >> kThreadBits; }
constexpr u32 threadOf(u32 tag) { return tag & ((1u << kThreadBits) - 1); }
constexpr u32 tagOf(u32 epoch, u32 thread) { return epoch << kThreadBits | thread; }
constexpr u32 warpOf(u32 tag) { return threadOf(tag) / kWarpSize; }

// Epoch 0 is none. Threads take numbers in chunks.
class GlobalEpochs {
public:
    static constexpr u32 kMost = 1u << (32 - kThreadBits);  // the last chunk is not given out
    static constexpr u32 kScarce = kMost / 4 * 3;           // beyond this, bar.warp.sync makes no new epochs
    static constexpr u32 kChunk = 64;

    struct Chunk {
        u32 next = 0, end = 0;
    };

    // 0: no more.
    u32 add(Chunk& chunk, const GlobalEpoch& epoch) {
        if (chunk.next == chunk.end && !refill(chunk)) return 0;
        const u32 number = chunk.next++;
        pages_[number / kPage].load(std::memory_order_relaxed)[number % kPage] = epoch;
        return number;
    }
    // A thread may look up any number found in a tag: tags are released and acquired.
    const GlobalEpoch& operator[](u32 number) const {
        return pages_[number / kPage].load(std::memory_order_acquire)[number % kPage];
    }
    bool isScarce() const { return next_.load(std::memory_order_relaxed) >= kScarce; }
    bool overflowed() const { return overflowed_.load(std::memory_order_relaxed); }
    u64 bytes() const { return u64{next_.load(std::memory_order_relaxed)} * sizeof(GlobalEpoch); }

private:
    static constexpr u32 kPage = 4096;

    bool refill(Chunk& chunk);

    std::mutex mutex_;
    std::atomic<u32> next_{kChunk};
    std::atomic<bool> overflowed_{false};
    std::array<std::atomic<GlobalEpoch*>, kMost / kPage> pages_{};
    std::array<std::unique_ptr<GlobalEpoch[]>, kMost / kPage> owned_;
};

}  // namespace lockstep::trace
