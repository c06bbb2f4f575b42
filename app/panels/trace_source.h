// The source of the shown trace, and notes on how it was run.
#pragma once

#include "app/state/state.h"

#include <string>

namespace lockstep::app {

// For the state's run, which must exist.
std::string traceOf(const State& state);
std::string traceHover(const State& state);

}  // namespace lockstep::app
