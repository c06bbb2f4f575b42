// What the lanes of the warp do on the matrix stage, as a table, as a caption and as sentences.
#pragma once

#include "explain/matrices/matmul_facts.h"
#include "viz/cursor/lookup.h"
#include "viz/scene/canvas.h"
#include "viz/view.h"

namespace lockstep::viz {

using explain::Accumulator, explain::accumulatorOf, explain::Activity, explain::CellIndex, explain::Doing,
    explain::MatmulFacts, explain::Matrix, explain::Operand, explain::Transfer;

// "Block (x 1, y 1) · tile 1 of 2 · load M"
std::string matmulCaption(const ViewInput& in, const MatmulFacts& facts);
// The sentence at the cursor.
std::string matmulSentence(const ViewInput& in, const MatmulFacts& facts, const CursorContext& here);
// Where the cursor's warp tests which of its threads own an element of P: those that do, and store it. None:
// no such test is decided at the cursor.
std::optional<LaneMask> lanesThatPassStoreTest(const ViewInput& in, const MatmulFacts& facts,
                                               const CursorContext& here);
// What one thread's transfer is.
std::string transferSentence(const ViewInput& in, const Operand& operand, const Transfer& transfer);

// Height for as many rows as there are lanes, or as leave room for the marks' key in `side`.
f32 matmulTableHeight(const ViewInput& in, const MatmulFacts& facts, const CursorContext& here,
                      const Rect& side);
void drawMatmulTable(Canvas& canvas, const ViewInput& in, const MatmulFacts& facts, const CursorContext& here,
                     const Rect& area);

}  // namespace lockstep::viz
