// What memory and caches move at a time.
#pragma once

#include "base/integers.h"

namespace lockstep::trace {

// Measured on an H200; CUDA C++ Programming Guide, "Global Memory".
inline constexpr u32 kSectorBytes = 32, kLineBytes = 128;

}  // namespace lockstep::trace
