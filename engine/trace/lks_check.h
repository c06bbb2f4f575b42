// What must hold within a Recording that comes from a file, so that whoever looks at it needs no checks of
// his own.
#pragma once

#include "trace/trace.h"

#include <string>

namespace lockstep::trace {

// Empty if all is well, else what is wrong, as a part of a sentence: "a step refers to an access that is not
// there". Pcs are held against the counts' size; that they lie within the PTX only its Module can say.
std::string mistakeIn(const Recording& recording);

}  // namespace lockstep::trace
