// The stage that was made for a shape of a computation.
#pragma once

#include "explain/shape.h"

#include <string_view>

namespace lockstep::viz {

// "matmul", as family.toml has it; empty: none was made for that shape.
std::string_view stageOfShape(explain::Shape shape);

}  // namespace lockstep::viz
