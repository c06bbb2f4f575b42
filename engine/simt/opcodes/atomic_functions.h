// What an atomic does to one word of memory, for every PTX operation and type.
#pragma once

#include "ptx/instruction.h"

namespace lockstep::simt {

// Replaces the word at `at` (aligned) and returns its old bits. `second` is the new value of a
// compare-and-swap. `concurrent`: other host threads may access the word at the same time.
using AtomicFunction = u64 (*)(std::byte* at, u64 first, u64 second, bool concurrent);

// nullptr: no such atomic.
AtomicFunction findAtomic(ptx::AtomicOp operation, ptx::Type type);

// True if the result does not depend on their order, provided the old values are not used.
bool commutes(ptx::AtomicOp operation, ptx::Type type);

}  // namespace lockstep::simt
