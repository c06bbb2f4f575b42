// The two kinds of stage: a family's own, and that of any kernel.
#pragma once

#include "viz/view.h"

#include <optional>

namespace lockstep::viz {

// None: the family has none of its own, or this run does not do what it shows.
std::optional<Scene> buildFamilyStage(const ViewInput& in);
// Each buffer as a grid, shared memory in rows of banks.
Scene buildAnyStage(const ViewInput& in);

}  // namespace lockstep::viz
