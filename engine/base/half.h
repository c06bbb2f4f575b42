// IEEE binary16 to and from binary32, round to nearest even, denormals kept, NaN payloads quietened.
#pragma once

#include "base/integers.h"

#include <bit>

namespace lockstep {

constexpr f32 halfToFloat(u16 half) {
    const u32 sign = u32(half & 0x8000) << 16;
    const u32 exponent = half >> 10 & 0x1f;
    u32 mantissa = half & 0x3ff;
    if (exponent == 0x1f) return std::bit_cast<f32>(sign | 0x7f800000 | mantissa << 13);
    if (exponent) return std::bit_cast<f32>(sign | (exponent + 112) << 23 | mantissa << 13);
    if (!mantissa) return std::bit_cast<f32>(sign);
    const int shift = std::countl_zero(mantissa) - 21;  // bring the leading bit to bit 10
    mantissa = mantissa << shift & 0x3ff;
    return std::bit_cast<f32>(sign | u32(113 - shift) << 23 | mantissa << 13);
}

constexpr u16 floatToHalf(f32 value) {
    const u32 bits = std::bit_cast<u32>(value);
    const u16 sign = u16(bits >> 16 & 0x8000);
    const u32 magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) return 0x7fff;               // NaN: the canonical one
    if (magnitude >= 0x477ff000) return u16(sign | 0x7c00);  // rounds to infinity
    if (magnitude < 0x33000001) return sign;                 // rounds to zero
    const int exponent = int(magnitude >> 23) - 127;
    const u32 mantissa = (magnitude & 0x7fffff) | 0x800000;
    const int drop = exponent < -14 ? 13 + (-14 - exponent) : 13;  // bits cut off
    const u32 kept = mantissa >> drop;
    const u32 rest = mantissa & ((1u << drop) - 1), half = 1u << (drop - 1);
    const u32 rounded = kept + (rest > half || (rest == half && (kept & 1)));
    const u32 base = exponent < -14 ? 0 : u32(exponent + 14) << 10;
    return u16(sign | (base + rounded));
}

static_assert(halfToFloat(0x3c00) == 1.0f && halfToFloat(0x0001) == 0x1p-24f &&
              halfToFloat(0x7bff) == 65504.0f);
static_assert(floatToHalf(1.0f) == 0x3c00 && floatToHalf(65504.0f) == 0x7bff &&
              floatToHalf(65520.0f) == 0x7c00);
static_assert(floatToHalf(0x1p-24f) == 1 && floatToHalf(0x1p-25f) == 0 && floatToHalf(-2.0f) == 0xc000);

}  // namespace lockstep
