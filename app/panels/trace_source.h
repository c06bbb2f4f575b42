// Who made the trace that is looked at, and what there is to know of how it was run.
#pragma once

#include "app/state/state.h"

#include <string>

namespace lockstep::app {

// Of the state's run, which is there.
std::string traceOf(const State& state);
std::string traceHover(const State& state);

}  // namespace lockstep::app
