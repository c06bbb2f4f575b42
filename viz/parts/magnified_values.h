// Values of cells that were too small for them until the magnifier made them large.
#pragma once

#include "viz/view.h"

namespace lockstep::viz {

// Writes what each large cell of the scene holds at the cursor, where no text stands in it.
void writeMagnifiedValues(Scene& scene, const ViewInput& in);

}  // namespace lockstep::viz
