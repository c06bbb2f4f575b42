// Which line of the kernel's own .cu an instruction belongs to.
#pragma once

#include "ptx/module.h"

namespace lockstep::model {

// The line of the kernel's own .cu that an instruction belongs to: walking outwards from the innermost
// inlined function, the first place in the file in which the kernel itself stands. So a __device__ function
// of that file keeps its own lines, and code inlined from a header counts for the line that called it. What
// the compiler gives to no line (a division that it split into a fast and a slow path) counts for the line
// before it. Line 0 where nothing is known.
struct SourceLine {
    u32 file = 0, line = 0;  // file: into Module::files
    auto operator<=>(const SourceLine&) const = default;
};
SourceLine sourceLineOf(Pc pc, const ptx::Module& module);

}  // namespace lockstep::model
