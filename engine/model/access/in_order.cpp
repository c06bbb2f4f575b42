// CUDA C Programming Guide 2.0, 5.1.2.1, "Coalescing on devices with compute capability 1.0 and 1.1".
// Inactive lanes do not matter.
#include "model/access/in_order.h"

namespace lockstep::model {

std::optional<Disorder> disorderOf(const trace::WarpAccess& access, LaneMask half, u32 firstLane) {
    constexpr u32 kHalfWarp = 16, kLeastWidth = 4;
    const u64 width = access.widthBytes;
    const Lane lowest = half.lowest();
    if (width < kLeastWidth) return Disorder{.why = Disorder::Why::Width, .lane = lowest};
    const u64 segment = access.addresses[lowest.value] - (lowest.value - firstLane) * width,
              behind = segment % (kHalfWarp * width);
    if (behind != 0)
        return Disorder{.why = Disorder::Why::Alignment, .lane = lowest, .offsetBytes = s64(behind)};
    for (const Lane lane : half)
        if (const u64 wanted = access.addresses[lane.value];
            wanted != segment + (lane.value - firstLane) * width)
            return Disorder{.why = Disorder::Why::Order, .lane = lane, .offsetBytes = s64(wanted - segment)};
    return std::nullopt;
}

}  // namespace lockstep::model
