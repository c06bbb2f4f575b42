// Which line of the kernel's own .cu an instruction belongs to.
#pragma once

#include "ptx/module.h"

#include <functional>

namespace lockstep::model {

// The line of the kernel's own .cu that an instruction belongs to: walking outwards from the innermost
// inlined function, the first place in the file in which the kernel itself stands. So a __device__ function
// of that file keeps its own lines, and code inlined from a header counts for the line that called it. What
// the compiler gives to no line counts for that of nearestInstructionWithLine(). Line 0 where nothing is
// known.
struct SourceLine {
    u32 file = 0, line = 0;  // file: into Module::files
    auto operator<=>(const SourceLine&) const = default;
};
SourceLine sourceLineOf(Pc pc, const ptx::Module& module);

// The instruction whose line stands for that of one to which the compiler gives none (a division that it
// split into a fast and a slow path, a store that it merged of two): the one before it; where only a jump
// from elsewhere leads there, as into an `else`, the one that follows. hasLine: what counts as a line. The pc
// itself, where it has one or its function has none before it.
Pc nearestInstructionWithLine(Pc pc, const ptx::Module& module, const std::function<bool(Pc)>& hasLine);

}  // namespace lockstep::model
