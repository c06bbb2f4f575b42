// The JSON of the origin of values in recorded blocks, key `flow` of `run`.
#pragma once

#include "app/cli/json/json.h"
#include "run/run.h"

namespace lockstep::cli {

Json flowJson(const run::Run& run);

}  // namespace lockstep::cli
