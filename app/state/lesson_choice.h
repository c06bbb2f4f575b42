// The experiment of a lesson's step, as the window chooses and shows it.
#pragma once

#include "app/state/state.h"

namespace lockstep::app {

Choice choiceOfStep(const lessons::StepOnShow& step);
// The window's experiment is the step's, whatever of it is on show.
bool isOfStep(const State& state, const lessons::StepOnShow& step);

}  // namespace lockstep::app
