// Round-robin turns among an SM's ready warps.
#pragma once

#include "base/integers.h"

#include <array>
#include <bit>

namespace lockstep::model {

// Each round in the order of warp numbers. An H200 restores that order when warps have lost it: stores of
// neighboring warps meet in the write buffer (tests/data/caches, naive-swapped) although their loads came
// back out of order.
class WarpTurns {
public:
    static constexpr u32 kMost =
        64;  // the most resident warps of any device (CUDA C Programming Guide, "Technical Specifications")

    bool empty() const { return ready_ == 0; }
    void join(u32 warp) { ready_ |= u64{1} << warp; }
    void leave(u32 warp) { ready_ &= ~(u64{1} << warp); }
    // Skips the rest of this round and the following ones, `rounds` in all, 3 at most.
    void late(u32 warp, u32 rounds) {
        for (u32 round = round_; round < round_ + rounds; ++round)
            late_[round % late_.size()] |= u64{1} << warp;
    }
    // Requires !empty(). sitOut: called as a round begins, returns the warps that skip it.
    template <class SitOut> u32 next(SitOut sitOut) {
        for (;;) {
            if (const u64 left = rest()) {
                const u32 warp = u32(std::countr_zero(left));
                behind_ = warp + 1 == kMost ? 0 : ~u64{0} << (warp + 1);
                return warp;
            }
            behind_ = ~u64{0};
            late_[round_++ % late_.size()] = 0;
            late_[round_ % late_.size()] |= sitOut();
        }
    }

    // Warps, by bit, whose turn is still to come in this round.
    u64 rest() const { return ready_ & ~late_[round_ % late_.size()] & behind_; }

private:
    u64 ready_ = 0, behind_ = ~u64{0};  // behind_: turn still to come in this round
    u32 round_ = 0;
    std::array<u64, 4> late_{};  // by round: warps that skip it
};

}  // namespace lockstep::model
