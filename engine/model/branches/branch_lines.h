// Where the lanes of a branch go, in lines of the source.
#pragma once

#include "ptx/module.h"

#include <optional>

namespace lockstep::model {

// The compiler moves what both ways need in front of either, and what comes after them up from anywhere: so
// the first line that a way alone has, and where they meet the first line below both. None: not found, as
// where the branch goes back; the line at which the way begins has to do.
struct BranchLines {
    std::optional<u32> taken, onwards, meeting;  // of lanes that jump; of the others; of both
};
// Whether the instruction ends its thread: exit, and ret of a kernel.
bool endsThread(const ptx::Module& module, Pc pc);
// The same of every thread that reaches it: no guard keeps any from it.
bool endsEveryThread(const ptx::Module& module, Pc pc);
// Where both ways of a branch reconverge; kNoPc where they only have the end in common.
Pc reconvergenceBeforeTheEnd(const ptx::Module& module, Pc branch);

BranchLines branchLines(Pc branch, Pc target, const ptx::Module& module);

}  // namespace lockstep::model
