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
// Where a word may stand on it; none: nowhere.
std::optional<Rect> roomForWords(const Rect& slot, WaitLook look);

// The part of its slot that an issue is high.
f32 heightOf(IssueKind kind);
Role roleOf(IssueKind kind);

}  // namespace lockstep::viz
