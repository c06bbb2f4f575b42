// Each of the `rows`, folded into one element of `results` with the operation that the parameter `op` names.
// Integers wrap; reals are folded in f64 and rounded at the end, which is more accurate than any order in
// f32.
#pragma once

#include "catalog/references/references.h"

namespace lockstep::catalog {

Reference rowReductionReference();

}  // namespace lockstep::catalog
