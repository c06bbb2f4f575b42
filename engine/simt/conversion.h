// What float conversions share: rounding to a whole number, and doubles to anything smaller.
#pragma once

#include "simt/comparison.h"
#include "simt/small_floats.h"

namespace lockstep::simt {

// Rounded to a whole number (.rni to nearest even, .rzi towards zero, .rmi down, .rpi up), still a float.
template <Rounding R, class T> inline T integral(T x) {
    if constexpr (R == Rounding::Rni) return std::nearbyint(x);
    else if constexpr (R == Rounding::Rzi) return std::trunc(x);
    else if constexpr (R == Rounding::Rmi) return std::floor(x);
    else return std::ceil(x);
}

// A NaN as a 64-bit integer.
template <class D> inline constexpr D kNanAs64Bits = D(0x8000000000000000);

}  // namespace lockstep::simt
