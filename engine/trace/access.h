// One memory instruction of one warp: which lanes, which addresses, which values. The unit that everything is
// computed from.
#pragma once

#include "base/lane_mask.h"

#include <array>
#include <string_view>

namespace lockstep::trace {

enum class Space : u8 { Global, Shared, Local, Constant, Param };
// Reduction: an atomic whose result is not used. AsyncCopy: cp.async, global to shared without a register.
enum class AccessKind : u8 { Load, Store, Atomic, Reduction, AsyncCopy };

std::string_view nameOf(Space space);      // "global"
std::string_view nameOf(AccessKind kind);  // "load"

constexpr bool reads(AccessKind kind) { return kind != AccessKind::Store; }
constexpr bool writes(AccessKind kind) { return kind != AccessKind::Load && kind != AccessKind::AsyncCopy; }
// With and without a use of the old value.
constexpr bool isAtomic(AccessKind kind) {
    return kind == AccessKind::Atomic || kind == AccessKind::Reduction;
}

using LaneAddresses = std::array<u64, kWarpSize>;

// Reported as it executes. Only active lanes' addresses are meaningful.
// Global: device addresses (buffers.h of simt: every buffer starts at a multiple of 256 bytes).
// Shared: byte offsets within the block's shared memory. Local: byte offsets within the thread's own local
// memory.
struct WarpAccess {
    Pc pc;
    LaneMask active;
    Space space = Space::Global;
    AccessKind kind = AccessKind::Load;
    u8 widthBytes = 4;  // per lane, vectors whole: 1, 2, 4, 8, 16
    LaneAddresses addresses{};
};

}  // namespace lockstep::trace
