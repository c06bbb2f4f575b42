// Which lanes have what an earlier one has: each compared with each, four at a time, which is quicker than a
// table of 32 and takes the same time for any values.
#pragma once

#include "base/indices.h"
#include "base/lane_mask.h"

#include <array>
#include <cstring>

namespace lockstep::model {

// By lane: all ones if an earlier lane has the same value, else 0.
inline std::array<u32, kWarpSize> repeatedLanes(const std::array<u32, kWarpSize>& values) {
    constexpr u32 kAtOnce = 4, kVectors = kWarpSize / kAtOnce;
    using Vector [[gnu::vector_size(sizeof(u32) * kAtOnce)]] = u32;
    std::array<Vector, kVectors> all;
    std::array<Vector, kVectors> repeated{};
    static_assert(sizeof all == sizeof values);
    std::memcpy(&all, &values, sizeof all);
    constexpr std::array<Vector, kAtOnce> kLater{Vector{0, ~0u, ~0u, ~0u}, Vector{0, 0, ~0u, ~0u},
                                                 Vector{0, 0, 0, ~0u}, Vector{0, 0, 0, 0}};
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
        const u32 first = lane / kAtOnce;
        const Vector same = values[lane] - Vector{};
        repeated[first] |= Vector(all[first] == same) & kLater[lane % kAtOnce];
        for (u32 i = first + 1; i < kVectors; ++i)
            repeated[i] |= Vector(all[i] == same);
    }
    std::array<u32, kWarpSize> result;
    std::memcpy(&result, &repeated, sizeof result);
    return result;
}

}  // namespace lockstep::model
