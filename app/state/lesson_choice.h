// The experiment of a lesson's step, as the window chooses and shows it.
#pragma once

#include "app/state/state.h"

namespace lockstep::app {

// Settled: what is shown once the question is answered, which may be another place of the step.
Choice choiceOf(const lessons::OwnExperiment& own);
Choice choiceOfStep(const lessons::StepOnShow& step, bool isSettled);
// The window's experiment is the step's, whatever of it is on show.
bool isOfStep(const State& state, const lessons::StepOnShow& step, bool isSettled);

}  // namespace lockstep::app
