// A run as far as a place of it: what is shown while a question about that place is open. It has the code,
// the launch and the data, and the steps before the place; none of what follows, and nothing that sums up the
// run.
#pragma once

#include "base/cursor.h"
#include "run/run.h"

#include <memory>

namespace lockstep::lessons {

// Every warp ends where the place's warp stands, or before it first comes to the place's instruction. A warp
// keeps its first step, so that there is something to show.
std::shared_ptr<const run::Run> runBefore(const run::Run& run, const Cursor& place);

}  // namespace lockstep::lessons
