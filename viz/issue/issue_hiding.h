// What hides latency: the sub-core with all its warps and with one at a time on one scale, the launch with
// fewer resident blocks, and Little's law with the loads of this kernel.
#pragma once

#include "viz/issue/issue_scale.h"

namespace lockstep::viz {

void drawHiding(const IssueDrawing& d, const Rect& area);
std::string hidingSentence(const IssueDrawing& d);

}  // namespace lockstep::viz
