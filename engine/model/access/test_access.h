// For tests: accesses of a warp in short notation.
#pragma once

#include "trace/access.h"

#include <functional>
#include <optional>

namespace lockstep::model {

// Lane n at byte `addressOf(n)`; lanes without an address are inactive.
inline trace::WarpAccess accessAt(trace::Space space, trace::AccessKind kind, u32 widthBytes,
                                  const std::function<std::optional<u64>(u64 lane)>& addressOf) {
    trace::WarpAccess access{
        .pc = kNoPc, .active = {}, .space = space, .kind = kind, .widthBytes = u8(widthBytes)};
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        if (const std::optional<u64> address = addressOf(lane)) {
            access.active = access.active | LaneMask::of(Lane{lane});
            access.addresses[lane] = *address;
        }
    return access;
}

}  // namespace lockstep::model
