// A recorded warp's steps: which lanes there are, and what memory a step accesses.
#pragma once

#include "base/dim3.h"
#include "trace/trace.h"

namespace lockstep::explain {

// What a warp's step does to memory; null: nothing.
const trace::StoredAccess* accessOf(const trace::WarpTrace& warp, u32 step);
// Of cp.async, whose access above is its load: the store to shared memory. None: the step is no such copy.
const trace::StoredAccess* copiedTo(const trace::WarpTrace& warp, u32 step);

u32 lanesOf(const trace::FocusBlock& block, Warp warp);  // threads of that warp: 32, fewer in a partial one
Dim3 threadOf(const Launch& launch, Warp warp, Lane lane);

}  // namespace lockstep::explain
