// Fast paths for common shared accesses, a warp at a time; all others go granule by granule.
#include "trace/shadow/shared_call.h"

#include <algorithm>

namespace lockstep::trace {

using namespace slots;

namespace {

constexpr u64 kNoRow = ~u64{0};

// Lane n is n times the width from lane 0.
template <u32 Width> bool isRow(const LaneAddresses& addresses) {
    const u64 first = addresses[0];
    u64 difference = first & (Width - 1);
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        difference |= addresses[lane] - (first + lane * Width);
    return difference == 0;
}

}  // namespace

// The first granule, if lane n is at the n-th from it; else kNoRow. (An optional would cost as much as the
// rest: it is returned through memory, written in small pieces and read in large ones.)
u64 SharedShadow::rowOf(const Call& call) {
    const WarpAccess& access = call.access;
    if (access.active != LaneMask::all() || access.widthBytes != 1u << call.shift) return kNoRow;
    const LaneAddresses& at = access.addresses;
    const bool isOne = call.shift == 2 ? isRow<4>(at) : call.shift == 1 ? isRow<2>(at) : isRow<1>(at);
    if (!isOne || at[31] >= call.sharedBytes || at[0] > at[31]) return kNoRow;
    return at[0] >> call.shift;
}

// Neighboring lanes at neighboring granules, accessed only by the same lanes in this phase: all at once.
bool SharedShadow::loadRow(const Call& call) {
    const u64 row = rowOf(call);
    if (row == kNoRow) return false;
    const u32 *stores = stores_.epochs.data() + row, *others = others_.epochs.data() + row;
    u32 newest = 0, oldest = ~0u;
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
        newest = std::max(newest, std::max(stores[lane], others[lane]));
        oldest = std::min(oldest, stores[lane]);
    }
    if (oldest <= call.blockStart) return false;
    if (newest > call.phaseStart &&
        !(isRowOwn(call, stores_, row, 0) && isRowOwn(call, others_, row, kFlags) &&
          isRowOver(call, anothers_, row)))
        return false;
    leaveRow(others_, row, call.key);
    return true;
}

bool SharedShadow::storeRow(const Call& call) {
    const u64 row = rowOf(call);
    if (row == kNoRow) return false;
    const u32 *stores = stores_.epochs.data() + row, *others = others_.epochs.data() + row;
    u32 newest = 0;
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        newest = std::max(newest, std::max(stores[lane], others[lane]));
    if (newest > call.phaseStart) {
        if (!(isRowOwn(call, stores_, row, 0) && isRowOwn(call, others_, row, 0) &&
              isRowOver(call, anothers_, row)))
            return false;
        std::fill_n(others_.epochs.data() + row, kWarpSize, 0);
    }
    leaveRow(stores_, row, call.key);
    return true;
}

bool SharedShadow::isRowOver(const Call& call, const Slots& slots, u64 first) {
    const u32* epochs = slots.epochs.data() + first;
    return *std::max_element(epochs, epochs + kWarpSize) <= call.phaseStart;
}

// Each slot is of an earlier phase, or was left by the same lane; then with these flags equal.
bool SharedShadow::isRowOwn(const Call& call, const Slots& slots, u64 first, u64 flags) {
    const u32 *epochs = slots.epochs.data() + first, *who = slots.who.data() + first;
    const u32 phaseStart = call.phaseStart, key = u32(call.key),
              mask = u32{31} << kWarpAt | u32(kLanes) | u32(flags);
    u32 foreign = 0;
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        foreign |= epochs[lane] > phaseStart ? (who[lane] ^ (key | kOnlyLanes[lane])) & mask : 0;
    return foreign == 0;
}

void SharedShadow::leaveRow(Slots& slots, u64 first, u64 key) {
    u32 *epochs = slots.epochs.data() + first, *who = slots.who.data() + first;
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        epochs[lane] = u32(key >> 32);
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        who[lane] = u32(key) | kOnlyLanes[lane];
}

// One granule per lane, not accessed in this phase. Returns the lanes for which this does not hold.
u32 SharedShadow::loadQuietly(const Call& call) {
    const WarpAccess& access = call.access;
    if (access.active != LaneMask::all() || access.widthBytes != 1u << call.shift) return access.active.bits;
    std::array<u32, kWarpSize> granules;
    u64 beyond = 0;
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
        beyond |= access.addresses[lane] & (access.widthBytes - 1u);
        beyond |= access.addresses[lane] >> 32;
        granules[lane] = u32(access.addresses[lane]) >> call.shift;
    }
    u32 last = 0;
    for (u32 granule : granules)
        last = std::max(last, granule);
    if (beyond || u64{last} << call.shift >= call.sharedBytes) return access.active.bits;

    const u32 afterBlock = call.blockStart + 1, span = call.phaseStart - call.blockStart,
              phaseStart = call.phaseStart;
    const u32 epoch = u32(call.key >> 32), who = u32(call.key);
    const u32 *stores = stores_.epochs.data(), *anothers = anothers_.epochs.data();
    u32 *others = others_.epochs.data(), *readers = others_.who.data();
    u32 later = 0;
    u32 runOf = ~0u, runLane = 0;  // neighboring lanes at one granule: two of them represent all
    bool runHasTwo = false;
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
        const u32 granule = granules[lane];
        if (granule == runOf) {
            if (!runHasTwo) readers[granule] = who | runLane << kLaneAt | lane << kSecondLaneAt;
            runHasTwo = true;
            continue;
        }
        if (stores[granule] - afterBlock < span && others[granule] <= phaseStart) {
            others[granule] = epoch;
            readers[granule] = who | kOnlyLanes[lane];
            runOf = granule;
            runLane = lane;
            runHasTwo = false;
        } else if (stores[granule] - afterBlock < span && others[granule] == epoch &&
                   anothers[granule] <= phaseStart && (readers[granule] & ~u32(kLanes)) == who) {
            if (hasOneLane(readers[granule])) readers[granule] = u32(withSecondLane(readers[granule], lane));
        } else {
            later |= 1u << lane;
        }
    }
    return later;
}

}  // namespace lockstep::trace
