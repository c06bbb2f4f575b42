#include "explain/phases/step_sums.h"

#include "explain/access/shared_cost.h"
#include "explain/access/warp_steps.h"
#include "explain/inactive_lanes/inactive_lanes.h"
#include "model/access/global_sectors.h"

#include <algorithm>

namespace lockstep::explain {
namespace {

constexpr u32 kEvery = 64;  // few enough to be gone through again for every warp of a block within a frame

}  // namespace

StepSums& StepSums::operator+=(const StepSums& other) {
    instructions += other.instructions;
    lanes += other.lanes;
    lanesAtMost += other.lanesAtMost;
    globalRequests += other.globalRequests;
    globalItems += other.globalItems;
    sharedRequests += other.sharedRequests;
    wavefronts += other.wavefronts;
    return *this;
}

StepSums StepSums::operator-(const StepSums& other) const {
    return {instructions - other.instructions, lanes - other.lanes,
            lanesAtMost - other.lanesAtMost,   globalRequests - other.globalRequests,
            globalItems - other.globalItems,   sharedRequests - other.sharedRequests,
            wavefronts - other.wavefronts};
}

StepSums StepSummer::ofStep(Warp warp, u32 step) const {
    const trace::WarpTrace& trace = block_->warps[warp.value];
    const trace::Step& issued = trace.steps[step];
    StepSums sums{.instructions = 1,
                  .lanes = u64(lanesAtWork(*module_, trace, step).count()),
                  .lanesAtMost = lanesOf(*block_, warp)};
    if (issued.access == trace::Step::kNone || trace.accesses[issued.access].active.empty()) return sums;
    const trace::StoredAccess& access = trace.accesses[issued.access];
    if (access.space == trace::Space::Global) {
        const trace::WarpAccess unpacked = trace.unpack(access);
        sums.globalRequests = model::globalRequests(unpacked, profile_);
        sums.globalItems = model::globalItems(unpacked, profile_);
    }
    if (access.space == trace::Space::Shared)
        sums.sharedRequests = 1,
        sums.wavefronts = sharedCost(trace.unpack(access), *module_, profile_).wavefronts;
    return sums;
}

const std::vector<StepSums>& StepSummer::notesOf(Warp warp) {
    std::vector<StepSums>& notes = noted_[warp.value];
    if (!notes.empty()) return notes;
    StepSums sums;
    for (u32 step = 0; step < block_->warps[warp.value].steps.size(); ++step) {
        if (step % kEvery == 0) notes.push_back(sums);
        sums += ofStep(warp, step);
    }
    notes.push_back(sums);
    return notes;
}

StepSums StepSummer::upTo(Warp warp, u32 step) {
    StepSums sums = notesOf(warp)[step / kEvery];
    for (u32 s = step / kEvery * kEvery; s < step; ++s)
        sums += ofStep(warp, s);
    return sums;
}

StepSums StepSummer::of(Warp warp, StepSpan steps) {
    const u32 end = std::min(steps.end, u32(block_->warps[warp.value].steps.size()));
    if (steps.begin >= end) return {};
    return upTo(warp, end) - upTo(warp, steps.begin);
}

}  // namespace lockstep::explain
