// Happens-before within a block: epochs, barriers, bar.warp.sync, fences and flags in shared memory.
#include "trace/shadow/shared_call.h"

#include <algorithm>

namespace lockstep::trace {

using namespace slots;

namespace {

template <std::size_t N> void join(std::array<u32, N>& clock, const std::array<u32, N>& other) {
    for (std::size_t i = 0; i < N; ++i)
        clock[i] = std::max(clock[i], other[i]);
}

}  // namespace

void SharedShadow::blockBarrier() {
    phaseStart_ = next_ - 1;
    startEpochs();
}

void SharedShadow::startEpochs() {
    if (next_ > kMostEpochs) renumber();
    for (u32 w = 0; w < warpCount_; ++w) {
        warps_[w].epoch = next_++;
        warps_[w].fencedInPhase = false;
    }
    if (!laneClocks_.empty()) laneClocks_.clear();
    hasClocks_ = !barriers_.empty();
    if (!flags_.empty()) flags_.clear();
    if (hasFlagsRead_)
        for (WarpState& warp : warps_)
            warp.flagsRead.clear();
    hasFlagsRead_ = false;
}

void SharedShadow::renew(WarpState& warp) {
    if (next_ > kMostEpochs)
        startEpochs();
    else
        warp.epoch = next_++;
}

// Out of epochs: clears everything except which bytes are written.
void SharedShadow::renumber() {
    for (u32& epoch : stores_.epochs)
        epoch = epoch > blockStart_;
    std::ranges::fill(others_.epochs, 0);
    std::ranges::fill(anothers_.epochs, 0);
    blockStart_ = 0;
    phaseStart_ = 1;
    next_ = 2;
    barriers_.clear();
    flags_.clear();
    for (WarpState& warp : warps_) {
        warp.floor = 0;
        warp.clock = {};
        warp.flagsRead.clear();
    }
}

// Flags: what a strong access publishes and acquires.
void SharedShadow::synchronize(const Call& call, Strength strength) {
    WarpState& warp = warps_[call.warp];
    const AccessKind kind = call.access.kind;
    if (!flags_.empty() && reads(kind)) {
        forEachGranule(call, call.access.active, [&](u32, u64 granule) {
            const auto flag = flags_.find(u32(granule));
            if (flag == flags_.end()) return;
            if (acquires(strength.ordering)) {
                acquire(warp, call.warp, flag->second);
            } else {
                warp.flagsRead.push_back(u32(granule));
                hasFlagsRead_ = true;
            }
        });
        std::ranges::sort(warp.flagsRead);
        warp.flagsRead.erase(std::ranges::unique(warp.flagsRead).begin(), warp.flagsRead.end());
    }
    if (writes(kind) && (warp.fencedInPhase || releases(strength.ordering))) {
        hasClocks_ = true;
        WarpClock published = warp.clock;
        published[call.warp] = warp.epoch;
        forEachGranule(call, call.access.active, [&](u32, u64 granule) {
            // A store starts over, an atomic keeps what was released before it.
            const auto [flag, isNew] = flags_.try_emplace(u32(granule), published);
            if (isNew) return;
            if (kind == AccessKind::Store)
                flag->second = published;
            else
                join(flag->second, published);
        });
        renew(warp);
    }
}

void SharedShadow::acquire(WarpState& warp, u32 warpNumber, const WarpClock& released) {
    warp.floor = std::max(warp.floor, released[warpNumber]);
    join(warp.clock, released);
}

void SharedShadow::fence(Warp warp) {
    WarpState& state = warps_[warp.value];
    state.fencedInPhase = state.fencedInBlock = true;
    for (u32 granule : state.flagsRead)
        if (const auto flag = flags_.find(granule); flag != flags_.end())
            acquire(state, warp.value, flag->second);
    state.flagsRead.clear();
}

void SharedShadow::arrive(Warp warp, u32 barrier) {
    hasClocks_ = true;
    WarpState& state = warps_[warp.value];
    WarpClock& gathering = barriers_[barrier].gathering;
    join(gathering, state.clock);
    gathering[warp.value] = std::max(gathering[warp.value], state.epoch);
    renew(state);
}

void SharedShadow::complete(u32 barrier) {
    BarrierState& state = barriers_[barrier];
    join(state.released, state.gathering);
    state.gathering = {};
}

void SharedShadow::pass(Warp warp, u32 barrier) {
    acquire(warps_[warp.value], warp.value, barriers_[barrier].released);
}

void SharedShadow::warpSync(Warp warp, LaneMask mask) {
    WarpState& state = warps_[warp.value];
    const u32 met = state.epoch;
    renew(state);
    if (state.epoch < met) return;  // renumbered: all is ordered
    const LaneMask lanes = LaneMask::firstLanes(threads_ - std::min(threads_, warp.value * kWarpSize));
    if ((mask & lanes) == lanes) {
        state.floor = met;
        return;
    }
    hasClocks_ = true;
    LaneClocks& clocks = laneClocks_[warp.value];
    std::array<u32, kWarpSize> joined{};
    for (Lane lane : mask) {
        clocks[lane.value][lane.value] = met;
        join(joined, clocks[lane.value]);
    }
    for (Lane lane : mask)
        clocks[lane.value] = joined;
}

}  // namespace lockstep::trace
