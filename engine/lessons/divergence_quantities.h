// The quantities of branches whose lanes part: paths, issue slots. Rows of quantities().
#pragma once

#include "explain/inactive_lanes/divergence_facts.h"
#include "lessons/quantities.h"

namespace lockstep::lessons {

std::vector<Quantity> divergenceRows();

// The divergence that the cursor stands in, or else the next one; none: the warp does not diverge there.
std::optional<explain::Parting> partingAt(const PlaceOnShow& place);
// Which lanes took which path.
Message pathReason(const PlaceOnShow& place);

}  // namespace lockstep::lessons
