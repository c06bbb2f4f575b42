// Sums, products, quotients and roots rounded towards zero, down or up. Singles are computed exactly in (or with a known remainder
// beside) doubles and then rounded once; doubles use the processor's own rounding modes.
#pragma once

#include <cfenv>

#include "ptx/instruction.h"
#include "simt/float_helpers.h"

namespace lockstep::simt {

using ptx::Rounding;

// The double nearest to hi + rest whose last bit says "inexact": rounding it again, to fewer bits, gives what rounding the exact value would
// (S. Boldo, G. Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd", 2008).
inline f64 roundedToOdd(f64 hi, f64 rest) {
    const u64 bits = std::bit_cast<u64>(hi);
    const bool inexact = rest != 0, away = (rest < 0) != (hi < 0);  // hi is farther from zero than the exact value
    const u64 odd = (bits - u64(inexact && away)) | u64(inexact);
    return hi - hi == 0 ? std::bit_cast<f64>(odd) : hi;
}

// D. Knuth, TAOCP 2, 4.2.2: a + b = sum + error, exactly.
struct Sum { f64 sum, error; };
inline Sum twoSum(f64 a, f64 b) {
    const f64 sum = a + b, virtualB = sum - a;
    return {sum, (a - (sum - virtualB)) + (b - virtualB)};
}
inline f64 oddSum(f64 a, f64 b) {
    const Sum s = twoSum(a, b);
    return roundedToOdd(s.sum, s.error);
}

// A double to a single under a rounding mode.
template <Rounding R>
inline f32 narrowed(f64 x) {
    const f32 nearest = f32(x);
    if constexpr (R == Rounding::Rn) return nearest;
    const u32 bits = std::bit_cast<u32>(nearest);
    const bool above = f64(nearest) > x, below = f64(nearest) < x, negative = bits >> 31;
    if constexpr (R == Rounding::Rz) {
        return std::bit_cast<f32>(bits - u32(negative ? below : above));
    } else {
        const bool step = R == Rounding::Rm ? above : below;
        const bool towardsZero = (R == Rounding::Rm) != negative;
        const bool zero = (bits & 0x7fffffff) == 0;
        const u32 stepped = zero ? (R == Rounding::Rm ? 0x80000001u : 0x00000001u) : towardsZero ? bits - 1 : bits + 1;
        return std::bit_cast<f32>(step ? stepped : bits);
    }
}

// x + (-x) is +0, but -0 when rounding down.
template <Rounding R>
inline f64 exactZeroSigned(f64 sum, f64 a, f64 b) {
    if constexpr (R == Rounding::Rm) return sum == 0 && !(a == 0 && b == 0 && !std::signbit(a) && !std::signbit(b)) ? -0.0 : sum;
    else return sum;
}

// Is the exact value subnormal once it is rounded to the format's bits, were its exponents not to end? That is what .ftz asks, also where
// the result itself is rounded up to the least normal number. Measured on an H200.
template <Rounding R>
inline bool isTiny(f64 exact, f64 leastNormal = 0x1p-126, f64 lastPlace = 0x1p-24) {
    const f64 magnitude = std::fabs(exact);
    const bool away = (R == Rounding::Rm && exact < 0) || (R == Rounding::Rp && exact > 0);
    if constexpr (R == Rounding::Rn) return magnitude < leastNormal - leastNormal * lastPlace / 2;
    else return away ? magnitude <= leastNormal - leastNormal * lastPlace : magnitude < leastNormal;
}

// A single rounded from an exact value, and that value (its last bit may stand for what did not fit).
struct Rounded { f32 result; f64 exact; };

template <Rounding R> inline Rounded roundedAdd(f32 a, f32 b) {
    if constexpr (R == Rounding::Rn) return {a + b, 1};  // a sum that is subnormal is exact
    else return {narrowed<R>(exactZeroSigned<R>(oddSum(a, b), a, b)), 1};
}
template <Rounding R> inline Rounded roundedMul(f32 a, f32 b) {
    const f64 product = f64(a) * f64(b);
    if constexpr (R == Rounding::Rn) return {a * b, product};
    else return {narrowed<R>(product), product};
}
template <Rounding R> inline Rounded roundedFma(f32 a, f32 b, f32 c) {
    const f64 product = f64(a) * f64(b), sum = oddSum(product, c);
    if constexpr (R == Rounding::Rn) return {std::fma(a, b, c), sum};
    else return {narrowed<R>(exactZeroSigned<R>(sum, product, c)), sum};
}
template <Rounding R> inline Rounded roundedDiv(f32 a, f32 b) {
    const f64 quotient = f64(a) / f64(b);
    if constexpr (R == Rounding::Rn) return {a / b, quotient};
    else {
        const f64 remainder = std::fma(-quotient, f64(b), f64(a));
        const bool exact = quotient - quotient != 0 || b - b != 0;  // infinities and NaNs leave no remainder
        const f64 odd = exact ? quotient : roundedToOdd(quotient, b < 0 ? -remainder : remainder);
        return {narrowed<R>(odd), odd};
    }
}
template <Rounding R> inline Rounded roundedSqrt(f32 a) {
    if constexpr (R == Rounding::Rn) return {std::sqrt(a), 1};  // a root is never subnormal
    else {
        const f64 root = std::sqrt(f64(a));
        return {narrowed<R>(root - root != 0 ? root : roundedToOdd(root, std::fma(-root, root, f64(a)))), 1};
    }
}

constexpr int hostRounding(Rounding rounding) {
    return rounding == Rounding::Rz ? FE_TOWARDZERO : rounding == Rounding::Rm ? FE_DOWNWARD : rounding == Rounding::Rp ? FE_UPWARD : FE_TONEAREST;
}

// One operation on doubles under another rounding mode of the processor; volatile keeps the compiler from moving it out.
template <Rounding R, class Operation, class... Operands>
inline f64 underRounding(Operation operation, Operands... operands) {
    if constexpr (R == Rounding::Rn) return operation(operands...);
    else {
        std::fesetround(hostRounding(R));
        const f64 result = [&](const volatile Operands&... inside) {
            const volatile f64 kept = operation(f64(inside)...);
            return f64(kept);
        }(operands...);
        std::fesetround(FE_TONEAREST);
        return result;
    }
}
template <Rounding R> inline f64 roundedAdd(f64 a, f64 b) { return underRounding<R>([](f64 x, f64 y) { return x + y; }, a, b); }
template <Rounding R> inline f64 roundedMul(f64 a, f64 b) { return underRounding<R>([](f64 x, f64 y) { return x * y; }, a, b); }
template <Rounding R> inline f64 roundedDiv(f64 a, f64 b) { return underRounding<R>([](f64 x, f64 y) { return x / y; }, a, b); }
template <Rounding R> inline f64 roundedSqrt(f64 a) { return underRounding<R>([](f64 x) { return std::sqrt(x); }, a); }
template <Rounding R> inline f64 roundedFma(f64 a, f64 b, f64 c) {
    return underRounding<R>([](f64 x, f64 y, f64 z) { return std::fma(x, y, z); }, a, b, c);
}

}  // namespace lockstep::simt
