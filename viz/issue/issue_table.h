// Below the strips of the issue timeline, where there is room: the instructions that the cursor's warp issues
// around the marked one, each with what the warp waited for before it and its line of source.
#pragma once

#include "viz/issue/issue_facts.h"
#include "viz/issue/issue_scale.h"

namespace lockstep::viz {

inline constexpr f32 kIssueTableLine = 18;
// Heading and rows; nothing where the area has no room for a few.
void drawIssueTable(const IssueDrawing& d, const IssuePlace& place, const Rect& area);

}  // namespace lockstep::viz
