// The lanes of the cursor's warp, a row each: its number on its color, its thread, and two columns of what
// the stage shows of it. A click makes it the cursor's.
#pragma once

#include "base/text/words.h"
#include "viz/cursor/lookup.h"
#include "viz/scene/canvas.h"
#include "viz/view.h"

#include <functional>
#include <optional>
#include <string>

namespace lockstep::viz {

struct LaneTable {
    struct Row {
        std::string first, last;
        std::optional<bool> mark;  // a tick, or a cross
        bool astray = false;       // what it reads is not what it asks for
    };
    const Words& first;
    const Words& last;
    const Words* marks = nullptr;  // none: there is no such column
    std::function<Row(Lane)> rowOf;
};

// Height for as many rows as there are lanes, or as leave room for the marks' key in `side`.
f32 laneTableHeight(const ViewInput& in, const CursorContext& here, const Rect& side);
void drawLaneTable(Canvas& canvas, const ViewInput& in, const CursorContext& here, const Rect& area,
                   const LaneTable& table);

}  // namespace lockstep::viz
