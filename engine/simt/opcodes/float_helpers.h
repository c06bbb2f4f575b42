// What the GPU does around every float operation: canonical NaN, flushing of subnormal numbers (.ftz),
// saturation (.sat). All branch-free, so that loops over them vectorize.
#pragma once

#include "simt/opcodes/opcode.h"

#include <cmath>

namespace lockstep::simt {

// Measured on an H200: a single-precision NaN result is always this one, whatever the input NaN; doubles
// propagate the input NaN, made quiet.
inline constexpr u32 kNan32 = 0x7fffffff;
inline constexpr u64 kNan64 = 0xfff8000000000000;

inline f32 canonical(f32 x) { return x == x ? x : std::bit_cast<f32>(kNan32); }
inline f64 quiet(f64 x) {
    return x == x ? x : std::bit_cast<f64>(std::bit_cast<u64>(x) | 0x0008000000000000);
}

// Result of an operation on doubles, or the NaN of the first operand that is NaN; operands in order of
// priority.
inline f64 nanOf(f64 result) { return result == result ? result : std::bit_cast<f64>(kNan64); }
template <class... More> inline f64 nanOf(f64 result, f64 operand, More... more) {
    return operand == operand ? nanOf(result, more...) : quiet(operand);
}

constexpr bool isNan(f32 x) { return (std::bit_cast<u32>(x) & 0x7fffffff) > 0x7f800000; }
constexpr bool isNan(f64 x) { return (std::bit_cast<u64>(x) & 0x7fffffffffffffff) > 0x7ff0000000000000; }

// A subnormal number becomes a zero of its sign.
inline f32 flushed(f32 x) {
    const u32 bits = std::bit_cast<u32>(x);
    return std::bit_cast<f32>(bits & 0x7f800000 ? bits : bits & 0x80000000);
}
template <bool Ftz, class T> inline T flushedIf(T x) {
    if constexpr (Ftz)
        return flushed(x);
    else
        return x;
}

// .sat: into [0, 1]; NaN and -0 become +0.
template <class T> inline T clamped01(T x) { return x > T{0} ? (x < T{1} ? x : T{1}) : T{0}; }

template <bool Ftz, bool Sat> inline f32 finished(f32 x) {
    const f32 result = flushedIf<Ftz>(canonical(x));
    if constexpr (Sat)
        return clamped01(result);
    else
        return result;
}

}  // namespace lockstep::simt
