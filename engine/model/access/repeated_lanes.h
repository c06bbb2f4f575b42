// Which lanes have what an earlier one has: each compared with each, eight at a time, which is quicker than a
// table of 32 and takes the same time for any values.
#pragma once

#include "base/indices.h"
#include "base/lane_mask.h"

#include <array>
#include <cstring>

namespace lockstep::model {

inline constexpr u32 kLanesAtOnce = 8, kLaneVectors = kWarpSize / kLanesAtOnce;
using LaneVector [[gnu::vector_size(sizeof(u32) * kLanesAtOnce)]] = u32;
using LaneVectors = std::array<LaneVector, kLaneVectors>;
using LaneValues = std::array<u32, kWarpSize>;
static_assert(sizeof(LaneVectors) == sizeof(LaneValues));

inline LaneVectors vectorsOf(const LaneValues& values) {
    LaneVectors vectors;
    std::memcpy(&vectors, &values, sizeof vectors);
    return vectors;
}
inline LaneValues valuesOf(const LaneVectors& vectors) {
    LaneValues values;
    std::memcpy(&values, &vectors, sizeof values);
    return values;
}

// By lane: all ones if an earlier lane has the same value, else 0.
inline LaneValues repeatedLanes(const LaneValues& values) {
    const LaneVectors all = vectorsOf(values);
    LaneVectors repeated{};
    constexpr LaneVector kNumbers{0, 1, 2, 3, 4, 5, 6, 7};
    // Unrolled, so that everything stays in registers.
#pragma GCC unroll 32
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
        const u32 first = lane / kLanesAtOnce;
        const LaneVector same = values[lane] - LaneVector{};
        repeated[first] |= LaneVector(all[first] == same) & LaneVector(kNumbers > lane % kLanesAtOnce);
#pragma GCC unroll 4
        for (u32 i = first + 1; i < kLaneVectors; ++i)
            repeated[i] |= LaneVector(all[i] == same);
    }
    return valuesOf(repeated);
}

// By lane: how many of the active lanes have its value.
inline LaneValues lanesAlike(const LaneValues& values, LaneMask active) {
    const LaneVectors all = vectorsOf(values);
    LaneVectors counts{};
    for (Lane lane : active)
#pragma GCC unroll 4
        for (u32 i = 0; i < kLaneVectors; ++i)
            counts[i] -= LaneVector(all[i] == values[lane.value] - LaneVector{});
    return valuesOf(counts);
}

// By lane: the largest of `of` among the active lanes that have its value.
inline LaneValues mostOfAlike(const LaneValues& values, const LaneValues& of, LaneMask active) {
    const LaneVectors all = vectorsOf(values);
    LaneVectors most{};
    for (Lane lane : active)
#pragma GCC unroll 4
        for (u32 i = 0; i < kLaneVectors; ++i) {
            const LaneVector its =
                LaneVector(all[i] == values[lane.value] - LaneVector{}) & (of[lane.value] - LaneVector{});
            most[i] = its > most[i] ? its : most[i];
        }
    return valuesOf(most);
}

}  // namespace lockstep::model
