// A stretch of one warp's steps.
#pragma once

#include "trace/trace.h"

namespace lockstep::explain {

// Steps of one warp, the end excluded.
struct StepSpan {
    u32 begin = 0, end = 0;
    bool empty() const { return begin >= end; }
    u32 count() const { return empty() ? 0 : end - begin; }
};
// First and end of a phase of one warp.
StepSpan stepsOfPhase(const trace::WarpTrace& warp, u32 phase);

}  // namespace lockstep::explain
