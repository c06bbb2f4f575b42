// A block run step by step: a caller chooses which path of which warp goes next.
#include "simt/block_runner.h"

#include <algorithm>
#include <bit>

namespace lockstep::simt {

BlockRunner::StepOutcome BlockRunner::step(u32 number, std::size_t path, std::span<const u8> stops) {
    WarpState& warp = warps_[number];
    stops_ = stops;
    warp.paths.choose(path);
    const u32 before = warp.paths.alive();
    const PathOutcome outcome = runPath<Mode::Stepping>(warp);
    if (outcome == PathOutcome::Stopped) return StepOutcome::Stopped;
    if (outcome == PathOutcome::Pauses)  // spins go on: a waiting loop may pause at each access
        warp.paths.wait(Path::State::Ready, 0);
    else
        warp.spins = 0;
    if (outcome == PathOutcome::Spins) {
        warp.paths.yield();
        // It may be waiting for lanes that are parked where it reconverges.
        const auto ready = std::ranges::count(warp.paths.others(), Path::State::Ready, &Path::state);
        if (++warp.yields > ready) warp.yields = 0, warp.paths.breakMeetings();
        return StepOutcome::Spins;
    }
    // A loop that waits for parked lanes with an access in it pauses, too, before it has spun often enough.
    if (outcome != PathOutcome::Pauses) warp.yields = 0;
    if (const u32 ended = before & ~warp.paths.alive()) {
        alive_ -= u32(std::popcount(ended));
        completeWarpSyncs(warp, false);
    }
    settleWarp(warp);
    if (barriers_.inUse()) settleBarriers();
    return outcome == PathOutcome::Pauses ? StepOutcome::Pauses : StepOutcome::Leaves;
}

void BlockRunner::settleWarp(WarpState& warp) {
    while (!warp.paths.hasReady())
        if (!completeWarpSyncs(warp, false) && !(warp.paths.alive() && freeParkedLanes(warp))) return;
}

bool BlockRunner::settle() {
    for (;;) {
        if (std::ranges::any_of(warps_, [](const WarpState& warp) { return warp.paths.hasReady(); }))
            return true;
        if (!alive_) return false;
        resolveDeadlock();
    }
}

}  // namespace lockstep::simt
