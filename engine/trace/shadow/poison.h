// Does a value look as if it had been computed from poison? What a kernel reads where nothing is comes back
// as all bits one, and arithmetic makes a NaN of it: then two threads that store "the same" store two
// different things on a GPU.
#pragma once

#include "base/integers.h"

#include <cstddef>
#include <cstring>

namespace lockstep::trace {

// `bytes` bytes of it, 1, 2 or 4: all ones, a NaN of half or float, or the upper half of a NaN of double
// (whose sign, exponent and first fraction bits stand where those of a float do).
inline bool looksPoisoned(const std::byte* value, u32 bytes) {
    u32 bits = 0;
    std::memcpy(&bits, value, bytes);
    switch (bytes) {
        case 4: return (bits & 0x7fffffff) > 0x7f800000;
        case 2: return (bits & 0x7fff) > 0x7c00;
        default: return bits == 0xff;
    }
}

}  // namespace lockstep::trace
