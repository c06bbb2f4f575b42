// "shape" of run --json: what shape the computation has, and what shows it (explain/shape.h).
#pragma once

#include "app/cli/json/json.h"
#include "run/run.h"

namespace lockstep::cli {

// Of the first recorded block that has one of its own; of the first block where none does. Null: none was
// recorded.
Json shapeJson(const run::Run& run);

}  // namespace lockstep::cli
