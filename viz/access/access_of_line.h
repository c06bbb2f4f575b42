// Which of several accesses of one source line is on show.
#pragma once

#include "viz/cursor/lookup.h"
#include "viz/view.h"

#include <string>

namespace lockstep::viz {

// " · load 2 of 3 of this line · lane 0: in[8]"; empty where the line has one access of that kind.
std::string accessOfLineText(const ViewInput& in, const CursorContext& here);
// The same without the lane's element.
std::string accessOfLineInBrief(const ViewInput& in, const CursorContext& here);

}  // namespace lockstep::viz
