// What the stage of patches says: caption, sentence, and which elements of P a thread computes.
#pragma once

#include "explain/matrices/patch_facts.h"
#include "viz/cursor/lookup.h"
#include "viz/parts/lane_table.h"
#include "viz/stages/matmul/product_words.h"
#include "viz/view.h"

#include <string>

namespace lockstep::viz {

std::string patchCaption(const ViewInput& in, const explain::PatchFacts& facts);
std::string patchSentence(const ViewInput& in, const explain::PatchFacts& facts, const CursorContext& here);
// "Thread (x 3, y 2) computes 64 elements of P: 8 × 8, from P[16][24] to P[23][31]."
std::string patchOfThread(const ViewInput& in, const explain::PatchBlock& block, Warp warp, Lane lane);
// "Mds[0][3]", of a part of dynamic shared memory as well.
std::string placeName(const explain::PatchOperand& operand, u64 place);
void drawPatchTable(Canvas& canvas, const ViewInput& in, const explain::PatchFacts& facts,
                    const CursorContext& here, const Rect& area);

}  // namespace lockstep::viz
