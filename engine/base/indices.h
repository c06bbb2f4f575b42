// Strong indices: a Lane is not a Warp and a Pc is not a line, so swapping two arguments does not compile.
#pragma once

#include "base/integers.h"

#include <compare>
#include <functional>

namespace lockstep {

template <class Tag> struct Index {
    u32 value = 0;

    constexpr Index() = default;
    constexpr explicit Index(u32 v) : value(v) {}
    constexpr auto operator<=>(const Index&) const = default;
};

using Lane = Index<struct LaneTag>;        // 0..31 within a warp
using Warp = Index<struct WarpTag>;        // within its block
using Block = Index<struct BlockTag>;      // linear within the grid, x fastest
using Pc = Index<struct PcTag>;            // index of an instruction in its ptx::Module
using LaunchId = Index<struct LaunchTag>;  // which launch of the variant's list

inline constexpr Pc kNoPc{0xffffffffu};
inline constexpr u32 kWarpSize =
    32;  // every CUDA device so far: CUDA C++ Programming Guide, "SIMT Architecture"

}  // namespace lockstep

template <class Tag> struct std::hash<lockstep::Index<Tag>> {
    std::size_t operator()(const lockstep::Index<Tag>& index) const noexcept {
        return std::hash<lockstep::u32>{}(index.value);
    }
};
