// The page of the view Chart on what a sum costs: processors times steps, of one processor for each element
// and of as many as the theorem of Brent asks for, beside the times of the family's variants.
#pragma once

#include "viz/view.h"

namespace lockstep::viz {

// Whether the run's kernel sums the elements of one array, so that there is such a page.
bool hasCostPage(const run::Run& run);
Scene buildCostPage(const ViewInput& in, const ChartOptions& options);

}  // namespace lockstep::viz
