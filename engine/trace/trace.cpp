#include "trace/trace.h"

#include <algorithm>

namespace lockstep::trace {

u32 numberValues(LaneLayout& layout) {
    std::array<u64, kWarpSize> known;
    u32 count = 0;
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
        u32 number = 0;
        while (number < count && known[number] != layout.distances[lane])
            ++number;
        if (number == count) known[count++] = layout.distances[lane];
        layout.values[lane] = u8(number);
    }
    return count;
}

LaneAddresses WarpTrace::addresses(const StoredAccess& a) const {
    LaneAddresses result{};
    for (Lane lane : a.active)
        result[lane.value] = address(a, lane);
    return result;
}

WarpAccess WarpTrace::unpack(const StoredAccess& a) const {
    return {a.pc, a.active, a.space, a.kind, a.widthBytes, addresses(a)};
}

// A barrier belongs to the phase that it ends.
u32 WarpTrace::phaseOf(u32 step) const {
    return u32(std::ranges::lower_bound(barrierSteps, step) - barrierSteps.begin());
}

u32 FocusBlock::phases() const {
    std::size_t most = 0;
    for (const WarpTrace& warp : warps)
        most = std::max(most, warp.barrierSteps.size());
    return u32(most) + 1;
}

const FocusBlock* Trace::find(LaunchId launch, Dim3 block) const {
    const auto found = std::ranges::find_if(
        blocks, [&](const FocusBlock& b) { return b.launch == launch && b.block == block; });
    return found == blocks.end() ? nullptr : &*found;
}

}  // namespace lockstep::trace
