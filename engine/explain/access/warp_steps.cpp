#include "explain/access/warp_steps.h"

#include <algorithm>

namespace lockstep::explain {

const trace::StoredAccess* accessOf(const trace::WarpTrace& warp, u32 step) {
    const u32 at = warp.steps[step].access;
    return at == trace::Step::kNone ? nullptr : &warp.accesses[at];
}

const trace::StoredAccess* copiedTo(const trace::WarpTrace& warp, u32 step) {
    const trace::StoredAccess* from = accessOf(warp, step);
    if (!from || from->kind != trace::AccessKind::AsyncCopy || from->space != trace::Space::Global)
        return nullptr;
    const std::size_t next = std::size_t{warp.steps[step].access} + 1;  // it follows the first
    return next < warp.accesses.size() && warp.accesses[next].pc == from->pc &&
                   warp.accesses[next].space == trace::Space::Shared
               ? &warp.accesses[next]
               : nullptr;
}

u32 lanesOf(const trace::FocusBlock& block, Warp warp) {
    const u32 first = warp.value * kWarpSize;
    return block.threads > first ? std::min(kWarpSize, block.threads - first) : 0;
}

Dim3 threadOf(const Launch& launch, Warp warp, Lane lane) {
    return coordinatesOf(u64{warp.value} * kWarpSize + lane.value, launch.block);
}

}  // namespace lockstep::explain
