// Element b of `counts` is the number of `values` that are b modulo the number of bins.
#pragma once

#include "catalog/references/references.h"

namespace lockstep::catalog {

Reference histogramReference();

}  // namespace lockstep::catalog
