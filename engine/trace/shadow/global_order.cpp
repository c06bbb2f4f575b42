// Happens-before as one block sees it: barriers, fences, releases and acquires.
#include "trace/shadow/global_block_state.h"

#include <algorithm>

namespace lockstep::trace {

using State = GlobalBlockShadow::State;

void GlobalBlockShadow::blockBarrier() {
    state_->nextPhase();
    state_->acquireFlagsRead(0);
}

void GlobalBlockShadow::warpSync(Warp warp, LaneMask) { state_->sync(warp.value); }

void GlobalBlockShadow::fence(Warp warp, Scope scope) {
    State& s = *state_;
    if (scope != Scope::Device || s.isParallel) return;
    s.acquireFlagsRead(warp.value);
    s.sync(warp.value);
    s.fences[warp.value] = {true, s.phase, s.timeOf(warp.value)};
}

// What a strong access acquires from the word and releases to it.
void State::synchronize(Call& call, Strength strength) {
    GlobalReleases& releases = *shadow.releases_;
    const AccessKind kind = call.access.kind;
    const auto addressOf = [&](u64 granule) {
        return call.buffer.spec.base + (granule << call.buffer.shift);
    };
    if (reads(kind) && releases.any()) {
        forEachGranule(call, [&](u32, u64 granule) {
            const GlobalClock* flag = releases.at(addressOf(granule));
            if (!flag) return;
            if (acquires(strength.ordering))
                acquire(*flag, call.warp);
            else if (std::ranges::find(flagsRead, addressOf(granule)) == flagsRead.end())
                flagsRead.push_back(addressOf(granule));
        });
    }
    // What a reduction finds there decides nothing: another order is as likely.
    const bool observes = reads(kind) && kind != AccessKind::Reduction;
    if (call.buffer.spec.keeps == GlobalShadow::Keeps::All)
        forEachGranule(call, [&](u32 lane, u64 granule) {
            if (writes(kind)) releases.storedBy(addressOf(granule), block);
            if (observes) releases.observe(addressOf(granule), {block, call.warp * kWarpSize + lane, phase});
        });
    const Fence& fence = fences[call.warp];
    const bool isRelease = trace::releases(strength.ordering);
    if (!writes(kind) || !(isRelease || fence.was)) return;
    if (isRelease) sync(call.warp);
    // A fence before the last barrier counts for all threads.
    const u64 wholeBlockBefore = u64{isRelease ? phase : std::min(fence.phase + 1, phase)} << 32;
    const u64 warpBefore = isRelease ? timeOf(call.warp) : fence.before;
    GlobalClock released = clock;
    for (auto [warp, before] :
         {std::pair{GlobalClock::kWholeBlock, wholeBlockBefore}, std::pair{call.warp, warpBefore}}) {
        released.learn(GlobalClock::keyOf(block, warp), before);
        releases.note(GlobalClock::keyOf(block, warp), before);
    }
    forEachGranule(call, [&](u32, u64 granule) {
        releases.publish(addressOf(granule), released, kind == AccessKind::Store);
    });
}

void State::acquire(const GlobalClock& released, u32 warp) {
    clock.join(released);
    // Releases by other warps of this block: as if there had been a barrier.
    bool fromOtherWarp = false;
    for (u32 w = 0; w < kWarpSize; ++w) {
        if (shadow.releases_->knownOf(released, GlobalClock::keyOf(block, w)) <= u64{phase} << 32) continue;
        if (w == warp)
            sync(w);
        else
            fromOtherWarp = true;
    }
    if (fromOtherWarp) nextPhase();
}

void State::acquireFlagsRead(u32 warp) {
    for (u64 address : flagsRead)
        if (const GlobalClock* flag = shadow.releases_->at(address)) acquire(*flag, warp);
    flagsRead.clear();
}

}  // namespace lockstep::trace
