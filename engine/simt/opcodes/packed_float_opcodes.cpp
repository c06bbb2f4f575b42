// What one lane computes on 16-bit floats, alone (f16, bf16) and in pairs (f16x2, bf16x2).
#include "simt/opcodes/comparison.h"
#include "simt/opcodes/lane_loop.h"
#include "simt/opcodes/opcode_table.h"

namespace lockstep::simt {
namespace {

// Every operation is written once for a 16-bit float, in a word, and mapped over the halves of a pair.
// Force-inlined: with this many rows the compiler stops inlining, and what is not inlined does not vectorize
// (add.f16x2: 370 ns a warp, not 20).
template <class T> inline constexpr bool kIsPair = sizeof(T) == 4;
template <class T> inline constexpr bool kIsHalf = std::is_same_v<T, f16> || std::is_same_v<T, f16x2>;
template <class T> using Element = std::conditional_t<kIsHalf<T>, HalfWord, BrainWord>;

template <auto F, class T, class... More> [[gnu::always_inline]] inline T mapped(T a, More... more) {
    using E = Element<T>;
    if constexpr (kIsPair<T>)
        return {F(E{a.bits >> 16}, E{more.bits >> 16}...).bits << 16 |
                F(E{a.bits & 0xffff}, E{more.bits & 0xffff}...).bits};
    else
        return F(E{a}, E{more}...);
}

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

template <bool Ftz, bool Sat, class T> inline T add(T a, T b) {
    return mapped<addOne<Ftz, Sat, Element<T>>>(a, b);
}
template <bool Ftz, bool Sat, class T> inline T sub(T a, T b) {
    return mapped<subOne<Ftz, Sat, Element<T>>>(a, b);
}
template <bool Ftz, bool Sat, class T> inline T mul(T a, T b) {
    return mapped<mulOne<Ftz, Sat, Element<T>>>(a, b);
}
template <bool Ftz, bool Sat, bool Relu, class T> inline T fma(T a, T b, T c) {
    return mapped<fmaOne<Ftz, Sat, Relu, Element<T>>>(a, b, c);
}
template <bool Ftz, class T> inline T neg(T a) { return mapped<negOne<Ftz, Element<T>>>(a); }
template <bool Ftz, class T> inline T abs(T a) { return mapped<absOne<Ftz, Element<T>>>(a); }
template <bool Greater, bool Ftz, bool NanWins, bool XorSign, class T> inline T extreme(T a, T b) {
    return mapped<extremeOne<Greater, Ftz, NanWins, XorSign, Element<T>>>(a, b);
}

// ---- setp of pairs: p is of the lower halves, q of the upper ones. set: a number per half.
template <class T> inline Element<T> lower(T a) { return a.bits & 0xffff; }
template <class T> inline Element<T> upper(T a) { return a.bits >> 16; }
template <Comparison C, bool Ftz, class T> inline WithPredicate<bool> setp(T a, T b) {
    return {compared<C>(value<Ftz>(lower(a)), value<Ftz>(lower(b))),
            compared<C>(value<Ftz>(upper(a)), value<Ftz>(upper(b)))};
}
template <BooleanOp B> constexpr bool combined(bool comparison, bool c) {
    return B == BooleanOp::And ? comparison && c : B == BooleanOp::Or ? comparison || c : comparison != c;
}
template <Comparison C, BooleanOp B, bool Ftz, class T>
inline WithPredicate<bool> setpWith(T a, T b, bool c) {
    const auto both = setp<C, Ftz>(a, b);
    return {combined<B>(both.value, c), combined<B>(both.predicate, c)};
}
template <Comparison C, bool Ftz, class T> inline T setFloats(T a, T b) {
    constexpr u32 one = kIsHalf<T> ? 0x3c00 : 0x3f80;
    const auto both = setp<C, Ftz>(a, b);
    return {(both.predicate ? one << 16 : 0) | (both.value ? one : 0)};
}
template <Comparison C, bool Ftz, class T> inline u32 setBits(T a, T b) {
    const auto both = setp<C, Ftz>(a, b);
    return (both.predicate ? 0xffff0000 : 0) | (both.value ? 0xffff : 0);
}

// ---- Rows.
template <Text rounding, bool Ftz, bool Sat, class T>
constexpr std::array kSums = {
    opcode<add<Ftz, Sat, T>>(form<"add", rounding, kIf<Ftz, ".ftz">, kIf<Sat, ".sat">, ".", kTypeName<T>>),
    opcode<sub<Ftz, Sat, T>>(form<"sub", rounding, kIf<Ftz, ".ftz">, kIf<Sat, ".sat">, ".", kTypeName<T>>),
    opcode<mul<Ftz, Sat, T>>(form<"mul", rounding, kIf<Ftz, ".ftz">, kIf<Sat, ".sat">, ".", kTypeName<T>>),
};
template <bool Ftz, bool Sat, bool Relu, class T>
constexpr std::array kFma = {opcode<fma<Ftz, Sat, Relu, T>>(
    form<"fma.rn", kIf<Ftz, ".ftz">, kIf<Sat, ".sat">, kIf<Relu, ".relu">, ".", kTypeName<T>>)};
template <bool Ftz, class T>
constexpr std::array kSigns = {
    opcode<neg<Ftz, T>>(form<"neg", kIf<Ftz, ".ftz">, ".", kTypeName<T>>),
    opcode<abs<Ftz, T>>(form<"abs", kIf<Ftz, ".ftz">, ".", kTypeName<T>>),
};
template <bool Ftz, bool NanWins, bool XorSign, class T>
constexpr std::array kExtremesOf = {
    opcode<extreme<false, Ftz, NanWins, XorSign, T>>(
        form<"min", kIf<Ftz, ".ftz">, kIf<NanWins, ".NaN">, kIf<XorSign, ".xorsign.abs">, ".", kTypeName<T>>),
    opcode<extreme<true, Ftz, NanWins, XorSign, T>>(
        form<"max", kIf<Ftz, ".ftz">, kIf<NanWins, ".NaN">, kIf<XorSign, ".xorsign.abs">, ".", kTypeName<T>>),
};
template <bool Ftz, class T>
constexpr auto kExtremes = concat(kExtremesOf<Ftz, false, false, T>, kExtremesOf<Ftz, true, false, T>,
                                  kExtremesOf<Ftz, false, true, T>, kExtremesOf<Ftz, true, true, T>);
template <class T>
constexpr auto kHalfArithmetic =
    concat(kSums<"", false, false, T>, kSums<"", false, true, T>, kSums<"", true, false, T>,
           kSums<"", true, true, T>, kSums<".rn", false, false, T>, kSums<".rn", false, true, T>,
           kSums<".rn", true, false, T>, kSums<".rn", true, true, T>, kFma<false, false, false, T>,
           kFma<false, true, false, T>, kFma<true, false, false, T>, kFma<true, true, false, T>,
           kFma<false, false, true, T>, kFma<true, false, true, T>, kSigns<false, T>, kSigns<true, T>,
           kExtremes<false, T>, kExtremes<true, T>);
template <class T>
constexpr auto kBrainArithmetic =
    concat(kSums<"", false, false, T>, kSums<".rn", false, false, T>, kFma<false, false, false, T>,
           kFma<false, false, true, T>, kSigns<false, T>, kExtremes<false, T>);

template <Comparison C, bool Ftz, class T>
constexpr std::array kCompareOf = {
    scalarOpcode<setp<C, Ftz, T>>(form<"setp", kComparisonName<C>, kIf<Ftz, ".ftz">, ".", kTypeName<T>>),
    scalarOpcode<setpWith<C, BooleanOp::And, Ftz, T>>(
        form<"setp", kComparisonName<C>, ".and", kIf<Ftz, ".ftz">, ".", kTypeName<T>>),
    scalarOpcode<setpWith<C, BooleanOp::Or, Ftz, T>>(
        form<"setp", kComparisonName<C>, ".or", kIf<Ftz, ".ftz">, ".", kTypeName<T>>),
    scalarOpcode<setpWith<C, BooleanOp::Xor, Ftz, T>>(
        form<"setp", kComparisonName<C>, ".xor", kIf<Ftz, ".ftz">, ".", kTypeName<T>>),
    scalarOpcode<setFloats<C, Ftz, T>>(
        form<"set", kComparisonName<C>, kIf<Ftz, ".ftz">, ".", kTypeName<T>, ".", kTypeName<T>>),
    scalarOpcode<setBits<C, Ftz, T>>(
        form<"set", kComparisonName<C>, kIf<Ftz, ".ftz">, ".u32.", kTypeName<T>>),
    scalarOpcode<setBits<C, Ftz, T>>(
        form<"set", kComparisonName<C>, kIf<Ftz, ".ftz">, ".s32.", kTypeName<T>>),
};
template <bool Ftz, class T, Comparison... C> constexpr auto compareRows(Comparisons<C...>) {
    return concat(kCompareOf<C, Ftz, T>...);
}

constexpr auto kPackedFloatOpcodes =
    concat(kHalfArithmetic<f16>, kHalfArithmetic<f16x2>, kBrainArithmetic<bf16>, kBrainArithmetic<bf16x2>,
           compareRows<false, f16x2>(FloatComparisons{}), compareRows<true, f16x2>(FloatComparisons{}),
           compareRows<false, bf16x2>(FloatComparisons{}));

}  // namespace

std::span<const OpcodeRow> packedFloatOpcodes() { return kPackedFloatOpcodes; }

}  // namespace lockstep::simt
