// Does a value look as if computed from poison? Invalid reads return all ones, and arithmetic turns that into
// NaN: two threads that store "the same" value here would store different ones on a GPU.
#pragma once

#include "base/integers.h"

#include <cstddef>
#include <cstring>

namespace lockstep::trace {

// `bytes` bytes of it, 1, 2 or 4: all ones, a NaN of half or float, or the upper half of a NaN of double
// (whose sign, exponent and first fraction bits are where a float's are).
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
