// An access that stands for all that were counted with one pattern.
#pragma once

#include "trace/grid_counts.h"

namespace lockstep::model {

// Addresses are the pattern's own but for multiples of 256, which no rule depends on.
trace::WarpAccess accessOf(const trace::SiteCounts& site, const trace::Pattern& pattern);

}  // namespace lockstep::model
