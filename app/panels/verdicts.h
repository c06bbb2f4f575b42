// What came of the run, a line each.
#pragma once

#include "app/panels/widgets.h"
#include "app/state/state.h"

#include <string>
#include <vector>

namespace lockstep::app {

struct Verdict {
    Icon icon;
    viz::RoleKind role;
    std::string text;
    std::string hover = {};
};

// Of the state's run, which is there.
std::vector<Verdict> verdictsOf(const State& state);
// Who made the trace that is looked at, and what there is to know of how it was run.
std::string traceOf(const State& state);
std::string traceHover(const State& state);

}  // namespace lockstep::app
