// Where a finding at the cursor has two threads, a stage marks the element where they meet, with the name of
// the thread that is not the cursor's beside it.
#pragma once

#include "explain/findings/conflicting_thread.h"
#include "viz/scene/canvas.h"

namespace lockstep::viz {

// cell: of the element. To be drawn last: the name stands within `area`, as near as it can without hiding
// what is drawn already.
void draw(Canvas& canvas, const explain::ConflictingThread& second, const Rect& cell, const Rect& area);

}  // namespace lockstep::viz
