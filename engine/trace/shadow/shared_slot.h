// Who accessed a granule of shared memory, in 64 bits.
#pragma once

#include "base/indices.h"

#include <array>

namespace lockstep::trace::slots {

// From the top, so that comparing slots compares epochs:
// epoch 32 | warp 5 | one lane 5 | another lane (or the same) 5 | strong 1 | writes 1 | site 15
inline constexpr int kWarpAt = 27, kLaneAt = 22, kSecondLaneAt = 17;
inline constexpr u64 kStrong = 1u << 16, kWrites = 1u << 15, kFlags = kStrong | kWrites;
inline constexpr u32 kMostSites = 1u << 15;
inline constexpr u64 kLanes = u64{0x3ff} << kSecondLaneAt;

constexpr u32 epochOf(u64 slot) { return u32(slot >> 32); }
constexpr u32 warpOf(u64 slot) { return slot >> kWarpAt & 31; }
constexpr u32 laneOf(u64 slot) { return slot >> kLaneAt & 31; }
constexpr u32 secondLaneOf(u64 slot) { return slot >> kSecondLaneAt & 31; }
constexpr u32 siteNumberOf(u64 slot) { return slot & (kMostSites - 1); }
constexpr bool hasOneLane(u64 slot) { return laneOf(slot) == secondLaneOf(slot); }
constexpr u64 onlyLane(u32 lane) { return u64{lane} << kLaneAt | u64{lane} << kSecondLaneAt; }
inline constexpr std::array<u32, kWarpSize> kOnlyLanes = [] {
    std::array<u32, kWarpSize> result{};
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        result[lane] = u32(onlyLane(lane));
    return result;
}();
constexpr u64 withSecondLane(u64 slot, u32 lane) {
    return (slot & ~(u64{31} << kSecondLaneAt)) | u64{lane} << kSecondLaneAt;
}

// Not both strong, at least one writes.
constexpr bool collide(u64 flags, u64 slot) {
    return !(flags & slot & kStrong) && ((flags | slot) & kWrites);
}

// Whatever conflicts with `old` conflicts with `flags` too: a strong load conflicts with plain stores only.
constexpr bool covers(u64 flags, u64 old) {
    return (flags & kFlags) == (old & kFlags) || (old & kFlags) == kStrong;
}

}  // namespace lockstep::trace::slots
