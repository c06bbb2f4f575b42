// The source line of an instruction in the kernel's own .cu.
#pragma once

#include "ptx/module.h"

#include <functional>

namespace lockstep::model {

// The line of the kernel's own .cu that an instruction belongs to: walking outward from the innermost inlined
// function, the first location in the kernel's own file. So a __device__ function of that file keeps its own
// lines, and code inlined from a header counts toward the line that called it. An instruction without a line
// counts toward that of nearestInstructionWithLine(). Line 0 if nothing is known.
struct SourceLine {
    u32 file = 0, line = 0;  // file: into Module::files
    auto operator<=>(const SourceLine&) const = default;
};
SourceLine sourceLineOf(Pc pc, const ptx::Module& module);

// The instruction whose line stands in for an instruction without one (a division split into a fast and a
// slow path, a store merged from two): the one before it; or, if only a jump from elsewhere leads there, as
// into an `else`, the one after it. hasLine: what counts as a line. Returns `pc` itself if it has a line or
// nothing before it in its function has.
Pc nearestInstructionWithLine(Pc pc, const ptx::Module& module, const std::function<bool(Pc)>& hasLine);

}  // namespace lockstep::model
