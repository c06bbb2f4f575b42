// Two runs looked at together: how the cursor of one follows the cursor of the other.
#pragma once

#include "viz/view.h"

namespace lockstep::viz {

// Where a cursor of `from` is in `to`: the same block, warp and lane as far as they were recorded there, at
// the same moment.
Cursor tied(const run::Run& from, const Cursor& cursor, const run::Run& to, Tie tie);

enum class Within : u8 {
    Run,   // the cursor's block, all of its warps; where these are alike, the other recorded blocks
    Warp,  // the cursor's warp alone: somebody asked for it
};
// Where the two differ most: where only one of them goes wrong; else at the access whose cost is furthest
// from the other's (sectors, or wavefronts); else where the numbers of lanes are. The cursor itself where
// they do not differ.
Cursor greatestDifference(const run::Run& run, const Cursor& cursor, const run::Run& other, Tie tie,
                          Within within = Within::Run);

}  // namespace lockstep::viz
