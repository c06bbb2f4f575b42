// What must hold within a Recording that comes from a file, so that whoever looks at it needs no checks of
// his own.
#pragma once

#include "base/text/words.h"
#include "trace/trace.h"

namespace lockstep::trace {

// Empty if all is well, else what is wrong, as a part of a sentence: "a step refers to an access that is not
// there". Pcs are held against the counts' size; that they lie within the PTX only its Module can say.
Words mistakeIn(const Recording& recording);

}  // namespace lockstep::trace
