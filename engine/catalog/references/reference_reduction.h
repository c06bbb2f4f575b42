// Element p of `out` is the sum (or another operation) of part p of `in`: one part for a total, one per block
// for partial results.
#pragma once

#include "catalog/references/references.h"

namespace lockstep::catalog {

Reference reductionReference();

}  // namespace lockstep::catalog
