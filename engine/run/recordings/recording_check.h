// What must hold between a recording and the module that its pcs count in, beyond what a .lks file is held to
// by itself.
#pragma once

#include "ptx/module.h"
#include "trace/trace.h"

#include <string>

namespace lockstep::run {

// Empty if the recording can be of this module, else what cannot, as a part of a sentence.
Words mistakeIn(const trace::Recording& recording, const ptx::Module& module);

}  // namespace lockstep::run
