// The sixteen barriers of a block (bar.sync, bar.arrive, bar.red): which threads have arrived, and when a
// barrier completes.
#pragma once

#include "base/indices.h"
#include "base/integers.h"

#include <array>
#include <bit>

namespace lockstep::simt {

class BlockBarriers {
public:
    static constexpr u32 kBarriers = 16, kMostWarps = 32;  // PTX ISA, "bar"; 1024 threads

    struct Barrier {
        bool inUse = false, hasCount = false;
        u32 expected = 0;        // threads, if it has a count
        u32 arrivedThreads = 0;  // a warp counts as 32 once all its lanes that have not exited have arrived
        u32 waitingLanes = 0;
        std::array<u32, kMostWarps> waiting{};  // by warp: waiting lanes
        std::array<u32, kMostWarps> counted{};  // by warp: its contribution to arrivedThreads
        u32 trueLanes = 0;                      // of bar.red: lanes whose predicate is true, and all arrivals
        u32 reducedLanes = 0;
    };

    void beginBlock() {
        barriers_ = {};
        inUse_ = 0;
    }
    Barrier& at(u32 number) { return barriers_[number]; }
    u32 inUse() const { return inUse_; }

    // Lanes of a warp arrive and wait, or (waits false) only arrive. alive: lanes of the warp that have not
    // exited.
    void arrive(u32 number, u32 warp, u32 lanes, u32 alive, bool hasCount, u32 expected, bool waits) {
        Barrier& b = barriers_[number];
        if (!b.inUse) {
            b.inUse = true;
            b.hasCount = hasCount;
            b.expected = expected;
        }
        inUse_ |= 1u << number;
        if (waits) {
            b.waiting[warp] |= lanes;
            b.waitingLanes += u32(std::popcount(lanes));
            const u32 counts =
                (alive & ~b.waiting[warp]) == 0 ? kWarpSize : u32(std::popcount(b.waiting[warp]));
            b.arrivedThreads += counts - b.counted[warp];
            b.counted[warp] = counts;
        } else {
            b.arrivedThreads += (alive & ~lanes) == 0 ? kWarpSize : u32(std::popcount(lanes));
        }
    }
    bool complete(u32 number, u32 aliveThreads) const {
        const Barrier& b = barriers_[number];
        return b.hasCount ? b.arrivedThreads >= b.expected : b.waitingLanes == aliveThreads && aliveThreads;
    }
    void release(u32 number) {
        barriers_[number] = {};
        inUse_ &= ~(1u << number);
    }

private:
    std::array<Barrier, kBarriers> barriers_{};
    u32 inUse_ = 0;
};

}  // namespace lockstep::simt
