// Where the lanes of a branch go, in lines of the source.
#pragma once

#include "ptx/module.h"

#include <optional>

namespace lockstep::model {

// The compiler hoists code that both paths need above them, and moves later code up from anywhere. So: the
// first line that only this path has, and for reconvergence the first line below both. None: not found, as
// for a backward branch; use the line at which the path begins.
struct BranchLines {
    std::optional<u32> taken, onwards, meeting;  // of the lanes that take the branch; of the others; of both
};
// Whether the instruction ends its thread: exit, and ret of a kernel.
bool endsThread(const ptx::Module& module, Pc pc);
// As above, for every thread that reaches it: it has no guard.
bool endsEveryThread(const ptx::Module& module, Pc pc);
// Where both paths of a branch reconverge; kNoPc if they have only the end in common.
Pc reconvergenceBeforeTheEnd(const ptx::Module& module, Pc branch);

BranchLines branchLines(Pc branch, Pc target, const ptx::Module& module);

}  // namespace lockstep::model
