// The step at which a run is first shown: the one that its texts speak of.
#pragma once

#include "run/run.h"
#include "viz/cursor/cursor.h"

namespace lockstep::viz {

// On a lane that takes part: at the place that the variant names (catalog::Opening), where the run comes
// there. Else where its first mistake happened. Else, of the textbook's tiles, the first global load that
// leaves lanes out, in the block where there is one, on a lane that is left out: its ghost is drawn. Else,
// without a stage of its own, of a scan and of other products, at the worst bank conflict; without a stage,
// at the first atomic in shared memory; where a thread first takes a word from another (of a reduction and of
// divergence, too); or where most lanes access shared memory behind a barrier. Else, of products and of
// coalescing, the request that moves most in vain; else the first global load that leaves lanes out, or the
// first at all.
Cursor initialCursor(const run::Run& run);

}  // namespace lockstep::viz
