// Element b of `counts` says how many of `values`, modulo the number of bins, are b.
#pragma once

#include "catalog/references/references.h"

namespace lockstep::catalog {

Reference histogramReference();

}  // namespace lockstep::catalog
