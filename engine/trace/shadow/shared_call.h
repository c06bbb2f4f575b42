// State of the current shared access, passed between its parts (single granules, rows, synchronization).
#pragma once

#include "trace/shadow/shared_shadow.h"
#include "trace/shadow/shared_slot.h"

namespace lockstep::trace {

// Only filled by the constructor: clearing it first would cost more than a fast access.
struct SharedShadow::Call {
    Call(const SharedShadow& shadow, u32 warpNumber, const WarpAccess& warpAccess, u64 slot,
         const std::byte* storedValues, const std::byte* earlierValues)
        : access(warpAccess),
          state(shadow.warps_[warpNumber]),
          laneClocks(shadow.laneClocks_),
          warp(warpNumber),
          shift(shadow.shift_),
          key(slot),
          blockStart(shadow.blockStart_),
          phaseStart(shadow.phaseStart_),
          hasClocks(shadow.hasClocks_),
          isStore(warpAccess.kind == AccessKind::Store || warpAccess.kind == AccessKind::AsyncCopy),
          sharedBytes(shadow.sharedBytes_),
          values(storedValues),
          before(earlierValues) {}

    const WarpAccess& access;
    const WarpState& state;
    const std::unordered_map<u32, LaneClocks>& laneClocks;
    u32 warp, shift;
    u64 key;  // the slot that each lane will leave, without the lane
    u32 blockStart, phaseStart;
    bool hasClocks, isStore;
    u64 sharedBytes;
    const std::byte *values, *before;
    // What the lanes did wrong, each the first of its kind: a vector's other words add nothing new.
    struct Reported {
        u32 lanes = 0;
        std::array<Slot, kWarpSize> with;  // of these lanes
        std::array<s8, kWarpSize> otherLane;

        void add(u32 lane, Slot slot, int other) {
            if (lanes >> lane & 1) return;
            lanes |= 1u << lane;
            with[lane] = slot;
            otherLane[lane] = s8(other);
        }
    };
    mutable Reported raced, reliedOnLockStep;
    mutable u32 readUnwritten = 0;

    // Was it this lane and no other?
    bool isOwn(u32 who, u32 lane) const {
        constexpr u32 kThread = u32{31} << slots::kWarpAt | u32(slots::kLanes);
        return (who & kThread) == (warp << slots::kWarpAt | slots::kOnlyLanes[lane]);
    }
    const std::byte* valueAt(u32 lane, u64 address) const { return values + offsetOf(lane, address); }
    u64 offsetOf(u32 lane, u64 address) const {
        return u64{lane} * access.widthBytes + (address - access.addresses[lane]);
    }
};

inline bool SharedShadow::orderedFor(const Call& call, u32 lane, Slot slot, u32 otherLane) {
    const u32 epoch = slots::epochOf(slot), warp = slots::warpOf(slot);
    if (warp != call.warp) return epoch <= call.state.clock[warp];
    if (otherLane == lane || epoch <= call.state.floor) return true;
    if (call.laneClocks.empty()) return false;
    const auto clocks = call.laneClocks.find(call.warp);
    return clocks != call.laneClocks.end() && epoch <= clocks->second[lane][otherLane];
}

// Of the conflicts of one lane at one granule, the first with another warp, else the first.
struct SharedShadow::Worst {
    u32 warp;
    Slot slot = 0;
    int otherLane = -1;

    void consider(Slot candidate, int lane) {
        if (lane < 0 || (otherLane >= 0 && (slots::warpOf(slot) != warp || slots::warpOf(candidate) == warp)))
            return;
        slot = candidate;
        otherLane = lane;
    }
};

// Visits (lane, granule) for all of the lanes.
template <class Visit> void SharedShadow::forEachGranule(const Call& call, LaneMask lanes, Visit visit) {
    const u32 width = call.access.widthBytes, perLane = width >> shift_;
    if (width > sharedBytes_) return;
    const u64 lastAddress = sharedBytes_ - width;
    for (Lane lane : lanes) {
        const u64 address = call.access.addresses[lane.value];
        if (address > lastAddress || address & (width - 1)) [[unlikely]]
            continue;
        const u64 first = address >> shift_;
        for (u32 i = 0; i < perLane; ++i)
            visit(lane.value, first + i);
    }
}

}  // namespace lockstep::trace
