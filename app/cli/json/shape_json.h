// "shape" of run --json: the shape of the computation, and the evidence for it (explain/shape.h).
#pragma once

#include "app/cli/json/json.h"
#include "run/run.h"

namespace lockstep::cli {

// From the first recorded block that has a shape of its own, else from the first block. Null: none was
// recorded.
Json shapeJson(const run::Run& run);

}  // namespace lockstep::cli
