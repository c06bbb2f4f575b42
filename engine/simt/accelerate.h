// Rewrites a decoded kernel for speed: the same instructions on the same frame, but memory accesses are
// checked, counted and observed in groups, and loads are fused into the multiply-add that uses them.
#pragma once

#include "simt/decode/program.h"

namespace lockstep::simt {

// The plain program's tables keep their indices; its ops are replaced by different ones, and more of them.
Program accelerate(const Program& plain);

}  // namespace lockstep::simt
