// The quantities of branches whose lanes part: paths, issue slots. Rows of quantities().
#pragma once

#include "explain/inactive_lanes/divergence_facts.h"
#include "lessons/quantities.h"

namespace lockstep::lessons {

std::vector<Quantity> divergenceRows();

// The divergence that the cursor stands in, or else the next one; none: the warp does not diverge there.
std::optional<explain::Parting> partingAt(const PlaceOnShow& place);
// Two lanes that take different paths, and where; or that none do.
Message pathClue(const PlaceOnShow& place);

}  // namespace lockstep::lessons
