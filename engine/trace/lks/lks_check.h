// Validates a Recording read from a file, so that its users need no checks of their own.
#pragma once

#include "base/text/words.h"
#include "trace/trace.h"

namespace lockstep::trace {

// Empty if valid, else the error as part of a sentence: "a step refers to an access that is not there". Pcs
// are checked against the counts' size; whether they are within the PTX, only its Module can tell.
Words mistakeIn(const Recording& recording);

}  // namespace lockstep::trace
