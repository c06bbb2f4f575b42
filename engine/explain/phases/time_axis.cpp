#include "explain/phases/time_axis.h"

#include <algorithm>
#include <ranges>

namespace lockstep::explain {

TimeAxis::TimeAxis(const trace::FocusBlock& block) {
    for (u32 phase = 0; phase < block.phases(); ++phase) {
        u32 longest = 0;
        for (const trace::WarpTrace& warp : block.warps)
            longest = std::max(longest, stepsOfPhase(warp, phase).count());
        starts_.push_back(starts_.back() + longest);
    }
}

u32 TimeAxis::of(const trace::WarpTrace& warp, u32 step) const {
    const u32 phase = warp.phaseOf(step);
    return starts_[phase] + step - (phase == 0 ? 0 : warp.barrierSteps[phase - 1] + 1);
}

TimeAxis::Stretch TimeAxis::of(const trace::FocusBlock& block, const StepRange& range) const {
    const trace::WarpTrace& warp = block.warps[range.warp.value];
    const u32 phase = warp.phaseOf(range.last);
    const bool waits = range.last + 1 == stepsOfPhase(warp, phase).end;
    return {of(warp, range.first), waits ? starts_[phase + 1] : of(warp, range.last) + 1};
}

StepSpan stepsWithin(const trace::FocusBlock& block, const TimeAxis& axis, const StepRange& range,
                     Warp warp) {
    const trace::WarpTrace& trace = block.warps[warp.value];
    const TimeAxis::Stretch stretch = axis.of(block, range);
    const auto steps = std::views::iota(u32{0}, u32(trace.steps.size()));
    const auto firstFrom = [&](u32 place) {
        return u32(
            std::ranges::lower_bound(steps, place, {}, [&](u32 step) { return axis.of(trace, step); }) -
            steps.begin());
    };
    return {firstFrom(stretch.begin), firstFrom(stretch.end)};
}

std::optional<StepSpan> stepsWithin(const trace::Trace& trace, const StepRange& range, Warp warp) {
    const trace::FocusBlock* block = trace.find(range.launch, range.block);
    if (!isRecorded(trace, range) || warp.value >= block->warps.size()) return std::nullopt;
    return stepsWithin(*block, TimeAxis(*block), range, warp);
}

bool isRecorded(const trace::Trace& trace, const StepRange& range) {
    const trace::FocusBlock* block = trace.find(range.launch, range.block);
    return block && range.warp.value < block->warps.size() && range.first <= range.last &&
           range.last < block->warps[range.warp.value].steps.size();
}

}  // namespace lockstep::explain
