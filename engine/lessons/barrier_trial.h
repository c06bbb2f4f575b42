// A kernel with one barrier more: __syncthreads() behind a line of its source. A kernel of the lesson's own
// is compiled again; of one of the catalog the barrier goes into the PTX, where the instructions of that line
// end.
#pragma once

#include "run/run.h"

#include <memory>
#include <string>
#include <vector>

namespace lockstep::lessons {

// Lines behind which a barrier can stand, ascending: of the kernel's own body, and where it is compiled again
// of the functions that it calls.
std::vector<u32> linesForBarrier(const run::Run& run);
// The line that stands for this one: of blank lines and comments the code before them.
u32 lineForBarrier(const run::Run& run, u32 line);
// The module's PTX with it. Fault: it cannot stand there.
Expected<std::string> withBarrierBehind(const run::Run& run, u32 line);
// Run as `run` was. file: what was opened, of a kernel of the lesson's own; else null.
Expected<std::shared_ptr<const run::Run>> runWithBarrier(const run::Resources& resources, const run::Run& run,
                                                         u32 line, const run::FileRequest* file);
// Nothing is found, and the result matches the reference, if there is one.
bool isClean(const run::Run& run);

}  // namespace lockstep::lessons
