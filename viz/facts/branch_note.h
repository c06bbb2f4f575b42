// What the machine makes of a branch that was written.
#pragma once

#include "base/text/text.h"
#include "run/run.h"

#include <optional>
#include <string>

namespace lockstep::viz {

// None: `pc` is no conditional branch, or the model alone says that it stays one.
std::optional<std::string> branchNote(const run::Run& run, LaunchId launch, Pc pc, Language language);

}  // namespace lockstep::viz
