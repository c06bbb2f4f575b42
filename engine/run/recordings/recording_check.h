// Validates a recording against the module that its pcs index, beyond the checks of the .lks file itself.
#pragma once

#include "ptx/module.h"
#include "trace/trace.h"

#include <string>

namespace lockstep::run {

// Empty if the recording matches this module, else what does not, as part of a sentence.
Words mistakeIn(const trace::Recording& recording, const ptx::Module& module);

}  // namespace lockstep::run
