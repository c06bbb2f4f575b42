// Is a launch too large for the emulator? Decided by counts of thread instructions, so that a run repeats
// exactly, and at no cost to the others: only once a block has executed more than its share of what a launch
// may need - in a launch that is too large one does - some blocks of the launch are run by themselves, on
// their own memory.
#pragma once

#include "base/buffer.h"
#include "base/integers.h"
#include "ptx/module.h"
#include "simt/emulator.h"
#include "simt/stop.h"

#include <atomic>
#include <functional>
#include <optional>

namespace lockstep::simt {

// What a block asks now and then while it runs; true: it ends.
struct BlockWatch {
    u64 mostThreadInstructions = 0;  // may be asked only beyond this
    std::function<bool()> isEnough;

    bool ends(u64 warpInstructions) const {
        return warpInstructions * kWarpSize > mostThreadInstructions && isEnough();
    }
};

class LaunchSize {
public:
    // estimate: thread instructions that the launch needs, never too many; called at most once.
    LaunchSize(u64 blocks, u64 mostThreadInstructions, std::function<u64()> estimate, Stop& stop)
        : most_(mostThreadInstructions),
          estimate_(std::move(estimate)),
          watch_{.mostThreadInstructions = mostThreadInstructions / blocks, .isEnough = [this, &stop] {
                     decide(stop);
                     return isTooLarge();
                 }} {}
    LaunchSize(const LaunchSize&) = delete;
    LaunchSize& operator=(const LaunchSize&) = delete;

    const BlockWatch& watch() const { return watch_; }
    bool isTooLarge() const { return needed_.load() > 0; }
    u64 needed() const { return needed_; }

private:
    // The first block's thread decides, while the others go on.
    void decide(Stop& stop) {
        if (isAsked_.exchange(true)) return;
        if (const u64 needed = estimate_(); needed > most_ && !stop.requested()) {
            needed_ = needed;
            stop.giveUp();
        }
    }

    u64 most_;
    std::function<u64()> estimate_;
    BlockWatch watch_;
    std::atomic<bool> isAsked_{false};
    std::atomic<u64> needed_{0};  // 0: not too large, or not yet asked
};

// Thread instructions of a launch: the median of some blocks', spread over the grid or, if its blocks have to
// run in order, the first ones, times all blocks. A block is stopped where it has executed much more than its
// share. 0: not known, because a block waits for others, or the run was stopped.
u64 estimateLaunch(const ptx::Module& module, const ptx::Function& entry, const Launch& launch,
                   std::span<const Buffer> initial, std::span<const std::byte> parameters,
                   const Options& options, Stop& stop);

}  // namespace lockstep::simt
