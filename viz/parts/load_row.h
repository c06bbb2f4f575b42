// For a hall, where a whole tile has no room for numbers: the row of it that the cursor's thread helps to
// load. The elements in the matrix above, the same in the tile below, and what has been read in between.
#pragma once

#include "explain/matrices/matmul_facts.h"
#include "viz/cursor/lookup.h"
#include "viz/scene/canvas.h"
#include "viz/view.h"

namespace lockstep::viz {

using explain::Accumulator, explain::accumulatorOf, explain::Activity, explain::CellIndex, explain::Doing,
    explain::MatmulFacts, explain::Matrix, explain::Operand, explain::Transfer;

// False, and nothing is drawn, where the cursor's thread loads nothing or the room is too small.
bool drawLoadRow(Canvas& canvas, const ViewInput& in, const MatmulFacts& facts, const CursorContext& here,
                 const Rect& body);

}  // namespace lockstep::viz
