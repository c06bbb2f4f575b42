// What an atomic does to one word of memory, for every operation and type that PTX has.
#pragma once

#include "ptx/instruction.h"

namespace lockstep::simt {

// Replaces the word at `at` (aligned) and returns its old bits. `second` is the new value of a
// compare-and-swap. `concurrent`: other host threads may do the same at this moment.
using AtomicFunction = u64 (*)(std::byte* at, u64 first, u64 second, bool concurrent);

// nullptr: there is no such atomic.
AtomicFunction findAtomic(ptx::AtomicOp operation, ptx::Type type);

// The order of several of these does not show in the result, if nobody looks at the old values.
bool commutes(ptx::AtomicOp operation, ptx::Type type);

}  // namespace lockstep::simt
