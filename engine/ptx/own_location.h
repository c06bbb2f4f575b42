// Where an instruction lies in the file of its kernel, where functions were inlined into it.
#pragma once

#include "ptx/module.h"

namespace lockstep::ptx {

// Of the outermost caller. at: into Module::locations.
u32 outermostLocation(const Module& module, u32 at);
// Walking outward from the innermost inlined function, the first location in the outermost caller's file: so
// a __device__ function of that file keeps its own lines, and code inlined from a header counts toward the
// line that called it. Its line is 0 if the line table says nothing.
const Location& ownLocation(const Module& module, Pc pc);

}  // namespace lockstep::ptx
