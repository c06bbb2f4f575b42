// The quantities of branches whose lanes part: paths, issue slots. Rows of quantities().
#pragma once

#include "explain/inactive_lanes/divergence_facts.h"
#include "lessons/quantities.h"

namespace lockstep::lessons {

std::vector<Quantity> divergenceRows();

// From the branch on that the cursor stands at; where it stands at none, the outermost divergence that it
// stands in, or else the next one. None: the warp does not diverge there.
std::optional<explain::Parting> partingAt(const PlaceOnShow& place);
// The line at which one of the two lanes jumps and the other does not, within this divergence; 0: none.
u32 lineOfParting(const PlaceOnShow& place, Lane a, Lane b);
// Lanes for which the condition of the branch that the cursor stands at holds, as its source has it: those
// that execute the body of an if, go round a loop again or return by it. The compiler may jump for these or
// for the others. None: there is no branch at which the warp diverges.
std::optional<LaneMask> lanesThatMeetCondition(const PlaceOnShow& place);
// Whether it holds for this lane.
Message conditionOfLane(const PlaceOnShow& place, Lane lane);
// Two lanes that take different paths, and where; or that none do.
Message pathClue(const PlaceOnShow& place);

}  // namespace lockstep::lessons
