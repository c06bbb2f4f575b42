// What the recorded blocks did step by step, for `run --json`: phases, and which lanes were inactive and why.
#pragma once

#include "app/cli/json/json.h"
#include "run/run.h"

namespace lockstep::cli {

Json phasesJson(const run::Run& run);
Json inactiveJson(const run::Run& run);

}  // namespace lockstep::cli
