// Shared by float conversions: rounding to a whole number, and doubles to anything smaller.
#pragma once

#include "simt/opcodes/comparison.h"
#include "simt/opcodes/small_floats.h"

namespace lockstep::simt {

// Rounded to a whole number (.rni to nearest even, .rzi towards zero, .rmi down, .rpi up), still a float.
template <Rounding R, class T> inline T integral(T x) {
    if constexpr (R == Rounding::Rni)
        return std::nearbyint(x);
    else if constexpr (R == Rounding::Rzi)
        return std::trunc(x);
    else if constexpr (R == Rounding::Rmi)
        return std::floor(x);
    else
        return std::ceil(x);
}

// NaN converts to the integer 0, or to only the top bit set if the float or the integer has 64 bits. Measured
// on an H200.
template <class D, class F>
inline constexpr D kNanAsInteger = sizeof(D) == 8 || sizeof(F) == 8 ? D(u64{1} << (sizeof(D) * 8 - 1)) : D{0};

}  // namespace lockstep::simt
