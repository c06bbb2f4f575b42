// What was recorded, with the module that it is of: all that most analyses need of a run.
#pragma once

#include "ptx/module.h"
#include "trace/trace.h"

namespace lockstep::explain {

// A view of both, which stay the caller's.
struct Recorded {
    const ptx::Module* module = nullptr;  // none: nothing has been loaded
    const trace::Recording& recording;

    Recorded(const ptx::Module& of, const trace::Recording& what) : module(&of), recording(what) {}
    // Of run::Run, which this folder does not know: it has both. Implicit, so that a run can be asked
    // anything.
    template <class Run>
        requires requires(const Run& run) {
            run.module.get();
            run.recording.launches;
        }
    Recorded(const Run& run) : module(run.module.get()), recording(run.recording) {}
};

}  // namespace lockstep::explain
