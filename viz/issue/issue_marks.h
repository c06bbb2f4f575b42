// How the issue timeline draws an issue and a wait: kinds and reasons differ in shape or texture as well as
// in color.
#pragma once

#include "viz/issue/issue_words.h"
#include "viz/scene/canvas.h"

#include <optional>

namespace lockstep::viz {

// In a row of a warp: stands on its lower edge.
void drawIssueMark(Canvas& canvas, const Rect& slot, IssueKind kind);
void drawWaitMark(Canvas& canvas, const Rect& slot, WaitLook look);
// Around the cursor's step; dashed: no instruction stands for it with certainty. Of a narrow one only
// corners, so that the marks beside it stay in sight.
bool isNarrowFrame(f32 width);
void drawCursorFrame(Canvas& canvas, const Rect& box, bool isCertain, bool isNarrow);
// A stretch without an issue, and one without a warp.
void drawIdleMark(Canvas& canvas, const Rect& bar, bool isLongest);
void drawNoWarp(Canvas& canvas, const Rect& bar);
// In the strip of lanes, at the lower edge: an issue in which no lane takes part.
void drawNoLane(Canvas& canvas, const Rect& slot);
// An access of which every lane is predicated off.
void drawPredicatedOffMark(Canvas& canvas, const Rect& mark);
// Where a word may stand on it; none: nowhere.
std::optional<Rect> roomForWords(const Rect& slot, WaitLook look);

// The part of its slot that an issue is high.
f32 heightOf(IssueKind kind);
Role roleOf(IssueKind kind);

}  // namespace lockstep::viz
