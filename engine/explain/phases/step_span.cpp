#include "explain/phases/step_span.h"

namespace lockstep::explain {

StepSpan stepsOfPhase(const trace::WarpTrace& warp, u32 phase) {
    const u32 steps = u32(warp.steps.size());
    const u32 begin = phase == 0                          ? 0
                      : phase <= warp.barrierSteps.size() ? warp.barrierSteps[phase - 1] + 1
                                                          : steps;
    return {begin, phase < warp.barrierSteps.size() ? warp.barrierSteps[phase] + 1 : steps};
}

}  // namespace lockstep::explain
