// The GPU's special function unit, bit for bit: reciprocal, roots, 2^x, log2, sine, cosine and tanh of a
// single, and the reciprocal and reciprocal root of a double's upper word. The unit flushes subnormal
// arguments and results.
//
// It works as S. Oberman and M. Siu describe ("A high-performance area-efficient multifunction interpolator",
// ARITH 2005): a table of quadratics, a square that omits the partial products below its column 19, one sum,
// truncated. As measured on an H200 (every mantissa of whole binades, samples of all others: 214 million
// arguments in all), the results agree in all bits.
#pragma once

#include "simt/opcodes/float_helpers.h"
#include "simt/opcodes/special_function_tables.h"

namespace lockstep::simt::special {

// t*t / 2^19 for 17 bits, without the partial products of the columns below 19.
constexpr u32 shortenedSquare(u32 t) {
    u32 sum = 0;
    for (u32 bit = 10; bit < 17; ++bit) {
        const u32 lower = (t & ((1u << bit) - 1)) >> (18 - bit), own = 1u << (2 * bit - 19);
        sum += t >> bit & 1 ? lower + own : 0;
    }
    return sum;
}
// The same from two tables: bits 16..8 with each other, and bits 16..11 with bits 7..2; the rest is below
// column 19.
inline constexpr auto kUpperSquares = [] {
    std::array<u16, 512> squares{};
    for (u32 upper = 0; upper < 512; ++upper)
        squares[upper] = u16(shortenedSquare(upper << 8));
    return squares;
}();
inline constexpr auto kMixedProducts = [] {
    std::array<u16, 64 * 64> products{};
    for (u32 upper = 0; upper < 64; ++upper)
        for (u32 lower = 0; lower < 64; ++lower)
            products[upper * 64 + lower] =
                u16(shortenedSquare(upper << 11 | lower << 2) - kUpperSquares[upper << 3]);
    return products;
}();
constexpr u32 square(u32 t) {
    return u32{kUpperSquares[t >> 8]} + kMixedProducts[(t >> 11) * 64 + (t >> 2 & 63)];
}
constexpr s64 quadratic(const QuadraticSegment& segment, u32 t) {
    return segment.c0 + s64{segment.c1} * t + 4 * s64{segment.c2} * square(t);
}
static_assert(square(0x1ffff) == shortenedSquare(0x1ffff) && square(0x15a93) == shortenedSquare(0x15a93));

inline u32 bitsOf(f32 x) { return std::bit_cast<u32>(x); }
inline f32 nan() { return std::bit_cast<f32>(kNan32); }
inline f32 infinity(u32 sign) { return std::bit_cast<f32>(sign | 0x7f800000); }
inline f32 zero(u32 sign) { return std::bit_cast<f32>(sign); }

// magnitude * 2^-scale, truncated to 24 bits.
inline f32 cut(u64 magnitude, int scale, u32 sign) {
    if (magnitude == 0) return zero(sign);
    const int leading = 63 - std::countl_zero(magnitude);
    const u32 fraction =
        u32(leading > 23 ? magnitude >> (leading - 23) : magnitude << (23 - leading)) & 0x7fffff;
    return std::bit_cast<f32>(sign | u32(leading - scale + 127) << 23 | fraction);
}

// The 24-bit significand of 1/m or 1/sqrt(m), between 2^23 (one half) and 2^24 (one), of a mantissa of 23
// bits.
constexpr u32 reciprocalOf(u32 mantissa) {
    return u32(quadratic(kReciprocalSegments[mantissa >> 16], (mantissa & 0xffff) << 1) >> 17);
}
constexpr u32 reciprocalRootOf(u32 mantissa, bool oddExponent) {
    if (mantissa == 0 && !oddExponent) return 1u << 24;
    return u32(
        quadratic(kReciprocalRootSegments[(oddExponent ? 64 : 0) + (mantissa >> 17)], mantissa & 0x1ffff) >>
        17);
}

inline f32 reciprocal(f32 x) {
    const u32 bits = bitsOf(x), sign = bits & 0x80000000, exponent = bits >> 23 & 0xff;
    if (x != x) return nan();
    if (exponent == 0) return infinity(sign);
    const s32 magnitude = (253 - s32(exponent)) * 0x800000 + s32(reciprocalOf(bits & 0x7fffff) - 0x800000);
    return exponent == 0xff || magnitude < 0x800000 ? zero(sign) : std::bit_cast<f32>(sign | u32(magnitude));
}

inline f32 reciprocalRoot(f32 x) {
    const u32 bits = bitsOf(x), sign = bits & 0x80000000, exponent = bits >> 23 & 0xff;
    if (x != x || (sign && exponent)) return nan();
    if (exponent == 0) return infinity(sign);
    if (exponent == 0xff) return 0;
    const s32 unbiased = s32(exponent) - 127;
    return std::bit_cast<f32>(u32(126 - (unbiased >> 1)) * 0x800000 +
                              reciprocalRootOf(bits & 0x7fffff, unbiased & 1) - 0x800000);
}

inline f32 root(f32 x) {
    const u32 bits = bitsOf(x), sign = bits & 0x80000000, exponent = bits >> 23 & 0xff,
              mantissa = bits & 0x7fffff;
    if (x != x || (sign && exponent)) return nan();
    if (exponent == 0) return zero(sign);
    if (exponent == 0xff) return infinity(0);
    const s32 unbiased = s32(exponent) - 127;
    const u32 significand =
        u32(quadratic(kRootSegments[(unbiased & 1 ? 64 : 0) + (mantissa >> 17)], mantissa & 0x1ffff) >> 19);
    return std::bit_cast<f32>(u32(127 + (unbiased >> 1)) * 0x800000 + significand - 0x800000);
}

// Bits of the argument below 2^-23 are truncated; a negative fraction is inverted bit by bit (ones'
// complement).
inline f32 powerOfTwo(f32 x) {
    const u32 bits = bitsOf(x), exponent = bits >> 23 & 0xff, significand = (bits & 0x7fffff) | 0x800000;
    const bool negative = bits >> 31;
    if (x != x) return nan();
    if (exponent >= 127 + 8) return negative ? 0 : infinity(0);
    const s32 shift = s32(exponent) - 127;
    const u32 fixed = shift >= 0 ? significand << shift : shift > -24 ? significand >> -shift : 0;
    const u32 fraction = fixed & 0x7fffff;
    const bool turned = negative && fraction != 0;
    const u32 position = turned ? ~fraction & 0x7fffff : fraction;
    const s32 whole = negative ? -s32(fixed >> 23) - turned : s32(fixed >> 23);
    const s32 result = whole + 127;
    if (result >= 0xff) return infinity(0);
    if (result <= 0) return 0;
    return std::bit_cast<f32>(u32(result) * 0x800000 +
                              u32(quadratic(kPowerOfTwoSegments[position >> 17], position & 0x1ffff) >> 17) -
                              0x800000);
}

// The fraction has 36 bits; a negative sum is inverted bit by bit (so log2(0.5) is not exactly -1).
inline f32 logarithm(f32 x) {
    const u32 bits = bitsOf(x), exponent = bits >> 23 & 0xff, mantissa = bits & 0x7fffff;
    if (x != x || (bits >> 31 && exponent)) return nan();
    if (exponent == 0) return infinity(0x80000000);
    if (exponent == 0xff) return infinity(0);
    if (bits == 0x3f800000) return 0;
    const s64 fraction = quadratic(kLogarithmSegments[mantissa >> 17], mantissa & 0x1ffff) >> 4;
    const s64 sum = s64(s32(exponent) - 127) * (s64{1} << 36) + fraction;
    return sum < 0 ? cut(u64(~sum), 36, 0x80000000) : cut(u64(sum), 36, 0);
}

// The argument becomes a 25-bit fraction of a turn; cosine is a quarter turn ahead.
inline f32 turnFraction(f32 x, u32 quarters, bool odd) {
    const u32 bits = bitsOf(x);
    if ((bits & 0x7f800000) == 0x7f800000) return nan();
    constexpr f64 kTurnsPerRadian = std::bit_cast<f32>(0x3e22f983);
    const f64 product = std::fabs(f64(x)) * kTurnsPerRadian;  // exact; the GPU truncates it to 24 bits
    const u64 productBits = std::bit_cast<u64>(product);
    const s32 exponent = s32(productBits >> 52) - 1023;
    const u64 significand = (productBits >> 29 & 0x7fffff) | 0x800000;
    const s32 shift = exponent + 25 - 23;  // of 24 bits, to units of 2^-25
    const u32 turn = u32(shift >= 25   ? 0
                         : shift >= 0  ? significand << shift
                         : shift > -24 ? significand >> -shift
                                       : 0) +
                     (quarters << 23);
    const u32 within = turn & 0x7fffff, quarter = turn >> 23 & 3;
    const u32 sign = (quarter & 2 ? 0x80000000 : 0) ^ (odd ? bits & 0x80000000 : 0);
    if (quarter & 1 && within == 0) return std::bit_cast<f32>(sign | 0x3f800000);
    const u32 position = quarter & 1 ? ~within & 0x7fffff : within;
    return cut(u64(quadratic(kSineSegments[position >> 17], position & 0x1ffff)), 41, sign);
}
inline f32 sine(f32 x) { return turnFraction(x, 0, true); }
inline f32 cosine(f32 x) { return turnFraction(x, 1, false); }

inline f32 tangent(f32 x) {
    constexpr s32 kLeast = -8;  // below 2^-8 the argument itself is the result
    constexpr u8 kSegmentBits[] = {0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 3},
                 kFirstSegment[] = {0, 1, 2, 3, 5, 7, 11, 15, 19, 27, 43};
    const u32 bits = bitsOf(x), sign = bits & 0x80000000, mantissa = bits & 0x7fffff;
    const s32 exponent = s32(bits >> 23 & 0xff) - 127;
    if (x != x) return nan();
    if (exponent < kLeast) return x;
    if (exponent >= 3) return std::bit_cast<f32>(sign | 0x3f800000);
    const u32 segmentBits = kSegmentBits[exponent - kLeast];
    const QuadraticSegment& segment =
        kTangentSegments[kFirstSegment[exponent - kLeast] + (mantissa >> (23 - segmentBits))];
    const s64 value = quadratic(segment, mantissa >> (6 - segmentBits) & 0x1ffff);
    return cut(u64(value), 17 + 24 - (exponent < -1 ? exponent + 1 : 0), sign);
}

// ---- For a double: only the upper word is read, and only the upper word is computed.
inline f64 fromUpper(u32 upper) { return std::bit_cast<f64>(u64{upper} << 32); }
inline f64 reciprocalUpper(f64 x) {
    const u32 upper = u32(std::bit_cast<u64>(x) >> 32), sign = upper & 0x80000000,
              exponent = upper >> 20 & 0x7ff;
    if ((upper & 0x7fffffff) > 0x7ff00000) return fromUpper(0x7fffffff);
    if (exponent == 0) return fromUpper(sign | 0x7ff00000);
    const s32 magnitude =
        (2045 - s32(exponent)) * 0x100000 + s32((reciprocalOf((upper & 0xfffff) << 3) - 0x800000) >> 3);
    return fromUpper(exponent == 0x7ff || magnitude < 0x100000 ? sign : sign | u32(magnitude));
}
inline f64 reciprocalRootUpper(f64 x) {
    const u32 upper = u32(std::bit_cast<u64>(x) >> 32), sign = upper & 0x80000000,
              exponent = upper >> 20 & 0x7ff;
    if ((upper & 0x7fffffff) > 0x7ff00000 || (sign && exponent)) return fromUpper(0x7fffffff);
    if (exponent == 0) return fromUpper(sign | 0x7ff00000);
    if (exponent == 0x7ff) return 0;
    const s32 unbiased = s32(exponent) - 1023;
    return fromUpper(u32(1022 - (unbiased >> 1)) * 0x100000 +
                     ((reciprocalRootOf((upper & 0xfffff) << 3, unbiased & 1) - 0x800000) >> 3));
}

}  // namespace lockstep::simt::special
