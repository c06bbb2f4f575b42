// New files for the editor: a copy of the catalog's kernel that is chosen, and a kernel to begin with.
#pragma once

#include "app/state/editor_action.h"
#include "base/expected.h"

namespace lockstep::app {

// Launched as the kernel of the catalog is at its sizes; of several launches as the first one. Its results
// are compared with the reference of the family where the run on show tells which parameter is which. Fault:
// no kernel of the catalog is chosen.
Expected<CreateText> copyOfExperiment(const State& state);
CreateText newKernel(const State& state);

}  // namespace lockstep::app
