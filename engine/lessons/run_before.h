// A run as far as a place of it: what is shown while a question about that place is open. It has the code,
// the launch and the data, and the steps before the place; none of what follows, and nothing that sums up the
// run.
#pragma once

#include "base/cursor.h"
#include "run/run.h"

#include <memory>
#include <string>
#include <string_view>

namespace lockstep::lessons {

// Where a question about the lanes that are active at a place begins to be answered: the first step of the
// line at which lanes leave the others' path, for all steps from there on have the same lanes. The place
// itself where its warp has not diverged.
Cursor whereLanesPart(const run::Run& run, const Cursor& place);

// Code whose comments are dots: they may say what is asked about. A "//" in a text is none.
std::string withoutComments(std::string_view code);

// Every warp ends where the place's warp stands, or before it first comes to the place's instruction. A warp
// keeps its first step, so that there is something to show.
std::shared_ptr<const run::Run> runBefore(const run::Run& run, const Cursor& place);

}  // namespace lockstep::lessons
