// Generic addresses: what is not a buffer lies in one of three windows in the first slot; nothing is mapped
// below them.
#pragma once

#include "base/device_addresses.h"
#include "base/integers.h"
#include "ptx/types.h"
#include "trace/access.h"

namespace lockstep::simt {

// Windows of 4 GiB: addresses within a space are 32 bits wide. Where they lie is our choice; a GPU's layout
// is not documented.
inline constexpr u64 kWindowBytes = u64{1} << 32;
inline constexpr u64 kSharedWindow = u64{1} << 38;
inline constexpr u64 kLocalWindow = u64{2} << 38;
inline constexpr u64 kParamWindow = u64{3} << 38;

// Value of a function pointer: a FunctionId beyond every buffer.
inline constexpr u64 kFunctionAddress = u64{0xf000} << 48;

enum class Region : u8 { Global, Shared, Local, Param };

// The space of a generic address.
constexpr Region regionOf(u64 address) {
    if (address >> kSlotShift) return Region::Global;
    if (address - kSharedWindow < kWindowBytes) return Region::Shared;
    if (address - kLocalWindow < kWindowBytes) return Region::Local;
    if (address - kParamWindow < kWindowBytes) return Region::Param;
    return Region::Global;
}
constexpr u64 windowOf(Region region) {
    constexpr u64 kWindows[] = {0, kSharedWindow, kLocalWindow, kParamWindow};
    return kWindows[u32(region)];
}

// As the trace calls it.
constexpr trace::Space traceSpace(ptx::StateSpace space) {
    switch (space) {
        case ptx::StateSpace::Shared: return trace::Space::Shared;
        case ptx::StateSpace::Local: return trace::Space::Local;
        case ptx::StateSpace::Const: return trace::Space::Constant;
        case ptx::StateSpace::Param: return trace::Space::Param;
        default: return trace::Space::Global;
    }
}

}  // namespace lockstep::simt
