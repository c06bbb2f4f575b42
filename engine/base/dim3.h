// Extents and coordinates of grids and blocks, x fastest as CUDA numbers them.
#pragma once

#include "base/indices.h"

namespace lockstep {

struct Dim3 {
    u32 x = 1, y = 1, z = 1;

    constexpr bool operator==(const Dim3&) const = default;
    constexpr u64 count() const { return u64{x} * y * z; }
};

// Coordinates of the linear index within extents, and back.
constexpr Dim3 coordinatesOf(u64 linear, Dim3 extents) {
    return {u32(linear % extents.x), u32(linear / extents.x % extents.y),
            u32(linear / extents.x / extents.y)};
}
constexpr u64 linearOf(Dim3 at, Dim3 extents) {
    return at.x + u64{extents.x} * (at.y + u64{extents.y} * at.z);
}

}  // namespace lockstep
