// What an access to shared memory costs as the machine serves it: an atomic by its own rules, everything else
// by its addresses.
#pragma once

#include "model/access/shared_atomics.h"
#include "ptx/module.h"
#include "trace/access.h"

namespace lockstep::explain {

struct SharedCost {
    u32 wavefronts = 0, ideal = 0;
};
SharedCost sharedCost(const trace::WarpAccess& access, const ptx::Module& module,
                      const model::Profile& profile);

model::SharedAtomicForm atomicFormOf(const trace::WarpAccess& access, const ptx::Module& module);

// The access whose passes are those of the machine: lanes that are counted and added at once share their word
// as those of a load do.
trace::WarpAccess asServed(trace::WarpAccess access, const ptx::Module& module);

}  // namespace lockstep::explain
