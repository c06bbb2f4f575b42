// Inclusive prefix sums: element i of `out` is the sum of elements 0 to i of `in`. Integers wrap.
#pragma once

#include "catalog/references/references.h"

namespace lockstep::catalog {

Reference scanReference();

}  // namespace lockstep::catalog
