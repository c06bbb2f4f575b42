// The set of lanes of one warp: bit n is lane n.
#pragma once

#include "base/indices.h"

#include <bit>

namespace lockstep {

struct LaneMask {
    u32 bits = 0;

    static constexpr LaneMask all() { return {0xffffffffu}; }
    static constexpr LaneMask of(Lane lane) { return {1u << lane.value}; }
    static constexpr LaneMask firstLanes(u32 count) {
        return {count >= 32 ? 0xffffffffu : (1u << count) - 1};
    }

    constexpr bool has(Lane lane) const { return bits >> lane.value & 1; }
    constexpr bool empty() const { return bits == 0; }
    constexpr int count() const { return std::popcount(bits); }
    constexpr Lane lowest() const { return Lane{u32(std::countr_zero(bits))}; }

    constexpr bool operator==(const LaneMask&) const = default;
    friend constexpr LaneMask operator&(LaneMask a, LaneMask b) { return {a.bits & b.bits}; }
    friend constexpr LaneMask operator|(LaneMask a, LaneMask b) { return {a.bits | b.bits}; }
    friend constexpr LaneMask operator~(LaneMask a) { return {~a.bits}; }

    // for (Lane lane : mask) visits the lanes that are set, lowest first.
    struct Iterator {
        u32 left;
        constexpr Lane operator*() const { return Lane{u32(std::countr_zero(left))}; }
        constexpr Iterator& operator++() {
            left &= left - 1;
            return *this;
        }
        constexpr bool operator!=(const Iterator& other) const { return left != other.left; }
    };
    constexpr Iterator begin() const { return {bits}; }
    constexpr Iterator end() const { return {0}; }
};

}  // namespace lockstep
