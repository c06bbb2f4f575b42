// The timeline's common axis of a block: issued steps, warps lined up at barriers.
#pragma once

#include "base/step_range.h"
#include "explain/phases/step_span.h"
#include "trace/trace.h"

#include <optional>
#include <vector>

namespace lockstep::explain {

// Each phase is as long as its longest warp needs; the others wait at its end.
class TimeAxis {
public:
    explicit TimeAxis(const trace::FocusBlock& block);

    u32 total() const { return starts_.back(); }
    u32 startOfPhase(u32 phase) const { return starts_[phase]; }
    std::size_t phases() const { return starts_.size() - 1; }
    u32 of(const trace::WarpTrace& warp, u32 step) const;

    // A stretch of the axis, its end excluded. A range that ends with the last step of a phase reaches to the
    // phase's end: its warp waits there.
    struct Stretch {
        u32 begin = 0, end = 0;
    };
    Stretch of(const trace::FocusBlock& block, const StepRange& range) const;

private:
    std::vector<u32> starts_{0};  // one more than phases
};

// What a warp of the block issues while the range lasts; empty where it waits all that time.
StepSpan stepsWithin(const trace::FocusBlock& block, const TimeAxis& axis, const StepRange& range, Warp warp);
// The same of a run's block; none where it was not recorded or lacks the warp.
std::optional<StepSpan> stepsWithin(const trace::Trace& trace, const StepRange& range, Warp warp);
// Whether it lies within what was recorded.
bool isRecorded(const trace::Trace& trace, const StepRange& range);

}  // namespace lockstep::explain
