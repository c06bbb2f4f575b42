// What one warp adds in a round of a reduction, large enough to be read where the cells of the whole are not:
// a column a lane with its own value, the one that it adds, and their sum.
#pragma once

#include "base/text/words.h"
#include "explain/sums/reduction_facts.h"
#include "viz/cursor/lookup.h"
#include "viz/scene/canvas.h"
#include "viz/view.h"

namespace lockstep::viz {

using explain::Addition, explain::ReductionFacts;

// Of a sum, behind another sentence.
inline constexpr Words kNotInResult = english(" It is not part of the result.");

struct CloseAdditions {
    static constexpr f32 kHeight = 92;

    const ViewInput& in;
    const ReductionFacts& facts;
    u32 round = 0;
    u32 order = 0;   // of the cursor's step
    u32 lanes = 32;  // of the cursor's warp

    // At the left of `area`, `labels` wide, what the rows are; the columns have the rest.
    void draw(Canvas& canvas, const Rect& area, f32 labels) const;
};

}  // namespace lockstep::viz
