// Rewrites a decoded kernel for speed: the same instructions on the same frame, with accesses to memory
// checked, counted and watched in groups, and loads done by the multiply-add that wants them.
#pragma once

#include "simt/decode/program.h"

namespace lockstep::simt {

// The plain program's tables keep their indices; its ops are others, and more.
Program accelerate(const Program& plain);

}  // namespace lockstep::simt
