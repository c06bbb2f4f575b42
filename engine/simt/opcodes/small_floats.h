// Floats of 8 and 16 bits: to single (exact), and from any exact value with any rounding.
#pragma once

#include "simt/opcodes/directed_rounding.h"

namespace lockstep::simt {

struct e4m3 {
    u8 bits;
};
struct e5m2 {
    u8 bits;
};

// The bits of an f16 or bf16 in a word of 32: loops over lanes vectorize where all values are of one width.
struct HalfWord {
    u32 bits;
    constexpr HalfWord(u32 b) : bits(b) {}
    constexpr HalfWord(f16 x) : bits(x.bits) {}
    constexpr operator f16() const { return {u16(bits)}; }
};
struct BrainWord {
    u32 bits;
    constexpr BrainWord(u32 b) : bits(b) {}
    constexpr BrainWord(bf16 x) : bits(x.bits) {}
    constexpr operator bf16() const { return {u16(bits)}; }
};

// ---- To single: exact, branch-free.
[[gnu::always_inline]] inline f32 toFloat(HalfWord x) {
    const u32 magnitude = (x.bits & 0x7fff) << 13, sign = (x.bits & 0x8000) << 16;
    const u32 finite = std::bit_cast<u32>(std::bit_cast<f32>(magnitude) * 0x1p112f);
    return std::bit_cast<f32>(sign | ((x.bits & 0x7c00) == 0x7c00 ? magnitude | 0x7f800000 : finite));
}
[[gnu::always_inline]] inline f32 toFloat(BrainWord x) { return std::bit_cast<f32>(x.bits << 16); }
inline f32 toFloat(f16 x) { return toFloat(HalfWord{x}); }
inline f32 toFloat(bf16 x) { return toFloat(BrainWord{x}); }
inline f32 toFloat(e5m2 x) { return toFloat(HalfWord{u32(x.bits) << 8}); }
inline f32 toFloat(e4m3 x) {
    const u32 magnitude = u32(x.bits & 0x7f) << 20, sign = u32(x.bits & 0x80) << 24;
    const u32 finite = std::bit_cast<u32>(std::bit_cast<f32>(magnitude) * 0x1p120f);
    return std::bit_cast<f32>(sign | ((x.bits & 0x7f) == 0x7f ? kNan32 : finite));
}
inline f32 toFloat(f32 x) { return x; }

// ---- From single, to nearest even, branch-free: used for every f16 and bf16 arithmetic result.
[[gnu::always_inline]] inline HalfWord halfWord(f32 x) {
    const u32 bits = std::bit_cast<u32>(x), magnitude = bits & 0x7fffffff, sign = bits >> 16 & 0x8000;
    const u32 normal = (magnitude + 0xfff + (magnitude >> 13 & 1) - (112u << 23)) >> 13;
    const u32 subnormal =
        std::bit_cast<u32>(std::bit_cast<f32>(magnitude) + 0.5f) - 0x3f000000;  // 0.5's last bit is 2^-24
    const u32 finite = magnitude < 0x38800000 ? subnormal : normal;
    const u32 rounded = magnitude >= 0x477ff000 ? 0x7c00 : finite;
    return magnitude > 0x7f800000 ? 0x7fff : sign | rounded;
}
[[gnu::always_inline]] inline BrainWord brainWord(f32 x) {
    const u32 bits = std::bit_cast<u32>(x);
    const u32 rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    return (bits & 0x7fffffff) > 0x7f800000 ? 0x7fff : rounded;
}
inline f16 nearestHalf(f32 x) { return halfWord(x); }
inline bf16 nearestBrain(f32 x) { return brainWord(x); }

// ---- Any format, any rounding.
struct FloatFormat {
    int fractionBits, leastExponent, mostExponent;
};
inline constexpr FloatFormat kHalfFormat{10, -14, 15}, kBrainFormat{7, -126, 127},
    kTensorFormat{10, -126, 127}, kSingleFormat{23, -126, 127}, kDoubleFormat{52, -1022, 1023},
    kE4M3Format{3, -6, 8}, kE5M2Format{2, -14, 15};

constexpr u64 infinityOf(FloatFormat f) {
    return u64(f.mostExponent - f.leastExponent + 2) << f.fractionBits;
}

// The bits, without sign, of significand * 2^exponent rounded to the format; beyond its range: infinity, or
// the largest number.
constexpr u64 packMagnitude(FloatFormat format, u64 significand, int exponent, bool negative,
                            Rounding rounding) {
    if (significand == 0) return 0;
    const int shift = std::countl_zero(significand);
    significand <<= shift;
    const int leading = exponent - shift + 63;  // exponent of the leading bit
    const int missing = leading < format.leastExponent ? format.leastExponent - leading : 0;
    const int dropped = 63 - format.fractionBits + missing;
    const u64 kept = dropped > 63 ? 0 : significand >> dropped;
    const u64 half = dropped > 64 ? 0 : u64{1} << (dropped - 1);  // 0: even the leading bit is below one half
    const u64 rest = dropped > 63 ? significand : significand & ((u64{1} << dropped) - 1);
    const bool up = rounding == Rounding::Rn    ? half != 0 && (rest > half || (rest == half && kept & 1))
                    : rounding == Rounding::Rna ? half != 0 && rest >= half
                    : rounding == Rounding::Rm  ? rest != 0 && negative
                    : rounding == Rounding::Rp  ? rest != 0 && !negative
                                                : false;
    const u64 base = missing ? 0 : u64(leading - format.leastExponent) << format.fractionBits;
    const u64 bits = base + kept + up;
    if (bits < infinityOf(format)) return bits;
    const bool toInfinity = rounding == Rounding::Rn || rounding == Rounding::Rna ||
                            rounding == (negative ? Rounding::Rm : Rounding::Rp);
    return infinityOf(format) - !toInfinity;
}

// The same for a single that is a number; the sign is put at `signBit`.
constexpr u64 packed(FloatFormat format, f32 x, Rounding rounding, int signBit) {
    const u32 bits = std::bit_cast<u32>(x), exponent = bits >> 23 & 0xff;
    const bool negative = bits >> 31;
    const u64 sign = u64(negative) << signBit;
    if (exponent == 0xff) return sign | infinityOf(format);
    const u64 significand = (bits & 0x7fffff) | (exponent ? 0x800000 : 0);
    return sign | packMagnitude(format, significand, int(exponent ? exponent : 1) - 150, negative, rounding);
}

static_assert(packMagnitude(kHalfFormat, 1, -25, false, Rounding::Rn) == 0 &&
              packMagnitude(kHalfFormat, 3, -26, false, Rounding::Rn) == 1);
static_assert(packMagnitude(kHalfFormat, 65520, 0, false, Rounding::Rn) == 0x7c00 &&
              packMagnitude(kHalfFormat, 65535, 0, false, Rounding::Rz) == 0x7bff);
static_assert(packed(kBrainFormat, -1.0f, Rounding::Rn, 15) == 0xbf80);

}  // namespace lockstep::simt
