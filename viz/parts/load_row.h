// For a hall, where a whole tile has no room for numbers: the row of it that the cursor's thread helps to
// load. The elements in the matrix above, the same in the tile below, and what has been read in between.
#pragma once

#include "viz/scene/canvas.h"
#include "viz/stages/matmul/matmul_facts.h"
#include "viz/view.h"

namespace lockstep::viz {

// False, and nothing is drawn, where the cursor's thread loads nothing or the room is too small.
bool drawLoadRow(Canvas& canvas, const ViewInput& in, const MatmulFacts& facts, const CursorContext& here,
                 const Rect& body);

}  // namespace lockstep::viz
