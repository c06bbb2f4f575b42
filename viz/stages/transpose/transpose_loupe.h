// What stands around one element that moves, in the matrix that it comes from, in the tile, and in the one
// that it goes to: large enough to be read where the cells of the stage are not.
#pragma once

#include "explain/matrices/transpose_facts.h"
#include "viz/parts/loupe.h"
#include "viz/view.h"

#include <vector>

namespace lockstep::viz {

struct TransposeLoupe {
    const ViewInput& in;
    const explain::TransposeFacts& facts;
    u32 order = 0;  // of the cursor's step
    const explain::Moved& element;

    // Side by side, as many as have room.
    void draw(Canvas& canvas, const Rect& area) const;

private:
    std::vector<Loupe> loupes() const;
};

}  // namespace lockstep::viz
