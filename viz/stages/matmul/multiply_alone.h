// For a hall: what is multiplied at the cursor and nothing else, large. Both factors as grids with the row
// and the column in use boxed, and the sums; where a whole tile has no room for numbers, that row above that
// column, pair by pair.
#pragma once

#include "explain/matrices/matmul_facts.h"
#include "viz/cursor/lookup.h"
#include "viz/parts/links_to_accesses.h"
#include "viz/scene/canvas.h"
#include "viz/view.h"

namespace lockstep::viz {

using explain::Accumulator, explain::accumulatorOf, explain::Activity, explain::CellIndex, explain::Doing,
    explain::MatmulFacts, explain::Matrix, explain::Operand, explain::Transfer;

// False, and nothing is drawn, where the cursor's thread multiplies nothing or the room is too small.
bool drawMultiplyAlone(Canvas& canvas, const ViewInput& in, const MatmulFacts& facts,
                       const CursorContext& here, const explain::BlockAccesses& accesses, const Rect& body);

// A magnifier beside matrices whose elements are too small for numbers: that row above that column around the
// pair in use, in the middle of the area. False as above.
bool drawMultiplyLoupe(Canvas& canvas, const ViewInput& in, const MatmulFacts& facts,
                       const CursorContext& here, const explain::BlockAccesses& accesses, const Rect& area);

}  // namespace lockstep::viz
