// What one lane computes on a 16-bit float, in a word (HalfWord, BrainWord): for PTX and for machine code.
// Force-inlined: where the compiler stops inlining, nothing vectorizes (add.f16x2: 370 ns a warp, not 20).
#pragma once

#include "simt/opcodes/small_floats.h"

#include <cmath>
#include <type_traits>

namespace lockstep::simt::halves {

template <class E> inline constexpr u32 kInfinity = std::is_same_v<E, HalfWord> ? 0x7c00 : 0x7f80;
template <class E> [[gnu::always_inline]] inline E nearest(f32 x) {
    if constexpr (std::is_same_v<E, HalfWord>)
        return halfWord(x);
    else
        return brainWord(x);
}
template <class E> [[gnu::always_inline]] inline bool isNanWord(E x) {
    return (x.bits & 0x7fff) > kInfinity<E>;
}
template <bool Ftz, class E> [[gnu::always_inline]] inline E flushedWord(E x) {
    return Ftz && !(x.bits & kInfinity<E>) ? x.bits & 0x8000 : x.bits;
}
template <bool Ftz, class E> [[gnu::always_inline]] inline f32 value(E x) {
    return toFloat(flushedWord<Ftz>(x));
}
[[gnu::always_inline]] inline HalfWord saturatedWord(HalfWord x) {
    const u32 cappedAtOne = x.bits > 0x3c00 ? 0x3c00 : x.bits;
    return x.bits > 0x7c00 ? 0 : cappedAtOne;  // NaN and negative numbers are above infinity
}
template <class E> [[gnu::always_inline]] inline E reluWord(E x) {
    return x.bits & 0x8000 && !isNanWord(x) ? 0 : x.bits;
}
template <bool Ftz, bool Sat, bool Relu, class E> [[gnu::always_inline]] inline E finishedWord(E x) {
    const E result = flushedWord<Ftz>(x);
    if constexpr (Sat)
        return saturatedWord(result);
    else if constexpr (Relu)
        return reluWord(result);
    else
        return result;
}
// Flushes a result that is below the smallest normal number after rounding to 11 bits; within half of 2^-11
// of that number it rounds up.
template <bool Ftz, class E> [[gnu::always_inline]] inline E flushedTiny(E result, f32 exact) {
    return Ftz && std::fabs(exact) < 0x1p-14f - 0x1p-26f ? result.bits & 0x8000 : result.bits;
}

// A single holds a sum or product of 16-bit floats precisely enough to round again: 24 >= 2*11 + 2 bits.
template <bool Ftz, bool Sat, class E> [[gnu::always_inline]] inline E addOne(E a, E b) {
    return finishedWord<Ftz, Sat, false>(nearest<E>(value<Ftz>(a) + value<Ftz>(b)));
}
template <bool Ftz, bool Sat, class E> [[gnu::always_inline]] inline E subOne(E a, E b) {
    return finishedWord<Ftz, Sat, false>(nearest<E>(value<Ftz>(a) - value<Ftz>(b)));
}
template <bool Ftz, bool Sat, class E> [[gnu::always_inline]] inline E mulOne(E a, E b) {
    const f32 product = value<Ftz>(a) * value<Ftz>(b);
    return finishedWord<Ftz, Sat, false>(flushedTiny<Ftz>(nearest<E>(product), product));
}
// The product of two f16 is exact in a single; of two bf16 it may overflow or underflow.
template <bool Ftz, bool Sat, bool Relu, class E> [[gnu::always_inline]] inline E fmaOne(E a, E b, E c) {
    f32 odd;
    if constexpr (std::is_same_v<E, HalfWord>)
        odd = oddSum(value<Ftz>(a) * value<Ftz>(b), value<Ftz>(c));
    else
        odd = narrowedToOdd(oddSum(f64(value<Ftz>(a)) * f64(value<Ftz>(b)), f64(value<Ftz>(c))));
    return finishedWord<Ftz, Sat, Relu>(flushedTiny<Ftz>(nearest<E>(odd), odd));
}
template <bool Ftz, class E> [[gnu::always_inline]] inline E negOne(E a) {
    return isNanWord(a) ? 0x7fff : flushedWord<Ftz>(E{a.bits ^ 0x8000}).bits;
}
template <bool Ftz, class E> [[gnu::always_inline]] inline E absOne(E a) {
    return isNanWord(a) ? 0x7fff : flushedWord<Ftz>(E{a.bits & 0x7fff}).bits;
}

template <bool Greater, bool Ftz, bool NanWins, bool XorSign, class E>
[[gnu::always_inline]] inline E extremeOne(E a, E b) {
    const u32 signs = XorSign ? (a.bits ^ b.bits) & 0x8000 : 0, kept = XorSign ? 0x7fff : 0xffff;
    const E left = flushedWord<Ftz>(E{a.bits & kept}), right = flushedWord<Ftz>(E{b.bits & kept});
    const f32 x = toFloat(left), y = toFloat(right);
    const bool leftIsLess = x < y || (x == y && left.bits > right.bits);
    const u32 number = leftIsLess == Greater ? right.bits : left.bits;
    const u32 ofOne = x != x   ? (NanWins ? 0x7fff : right.bits)
                      : y != y ? (NanWins ? 0x7fff : left.bits)
                               : number;
    return (x != x && y != y) || isNanWord(E{ofOne}) ? 0x7fff : ofOne | signs;
}

}  // namespace lockstep::simt::halves
