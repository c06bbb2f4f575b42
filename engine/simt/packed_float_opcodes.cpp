// What one lane computes on 16-bit floats, alone (f16, bf16) and in pairs (f16x2, bf16x2).
#include "simt/comparison.h"
#include "simt/lane_loop.h"
#include "simt/opcode_table.h"

namespace lockstep::simt {
namespace {

// Every operation is written once for a 16-bit float and mapped over the halves of a pair.
template <class T> inline constexpr bool kIsPair = sizeof(T) == 4;
template <class T> using Element = std::conditional_t<std::is_same_v<T, f16x2>, f16, std::conditional_t<std::is_same_v<T, bf16x2>, bf16, T>>;
template <class T> inline constexpr bool kIsHalf = std::is_same_v<Element<T>, f16>;

template <auto F, class T, class... More> inline T mapped(T a, More... more) {
    if constexpr (kIsPair<T>) {
        using E = Element<T>;
        const u32 upper = F(E{u16(a.bits >> 16)}, E{u16(more.bits >> 16)}...).bits;
        return {upper << 16 | F(E{u16(a.bits)}, E{u16(more.bits)}...).bits};
    } else {
        return F(a, more...);
    }
}

template <class E> inline E nearest(f32 x) {
    if constexpr (std::is_same_v<E, f16>) return nearestHalf(x);
    else return nearestBrain(x);
}
template <bool Ftz, class E> inline E flushedHalf(E x) { return Ftz && !(x.bits & 0x7c00) ? E{u16(x.bits & 0x8000)} : x; }
inline f16 saturatedHalf(f16 x) {
    const bool tooBig = (x.bits & 0x8000) == 0 && x.bits > 0x3c00 && x.bits <= 0x7c00;
    return {u16(x.bits & 0x8000 || x.bits > 0x7c00 ? 0 : tooBig ? 0x3c00 : x.bits)};
}
template <bool Relu, class E> inline E reluHalf(E x) {
    constexpr u32 infinity = std::is_same_v<E, f16> ? 0x7c00 : 0x7f80;
    return Relu && x.bits & 0x8000 && u32(x.bits & 0x7fff) <= infinity ? E{0} : x;
}
template <bool Ftz, bool Sat, bool Relu, class E> inline E finishedHalf(E x) {
    const E result = flushedHalf<Ftz>(x);
    if constexpr (Sat) return saturatedHalf(result);
    else return reluHalf<Relu>(result);
}

// A single holds a sum or product of 16-bit floats well enough to round a second time: 24 >= 2*11 + 2 bits.
template <bool Ftz, bool Sat, class E> inline E addOne(E a, E b) {
    return finishedHalf<Ftz, Sat, false>(nearest<E>(comparable<Ftz>(a) + comparable<Ftz>(b)));
}
template <bool Ftz, bool Sat, class E> inline E subOne(E a, E b) {
    return finishedHalf<Ftz, Sat, false>(nearest<E>(comparable<Ftz>(a) - comparable<Ftz>(b)));
}
template <bool Ftz, class E> inline E flushedTiny(E result, f64 exact) {
    return Ftz && isTiny<Rounding::Rn>(exact, 0x1p-14, 0x1p-11) ? E{u16(result.bits & 0x8000)} : result;
}
template <bool Ftz, bool Sat, class E> inline E mulOne(E a, E b) {
    const f32 product = comparable<Ftz>(a) * comparable<Ftz>(b);
    return finishedHalf<Ftz, Sat, false>(flushedTiny<Ftz>(nearest<E>(product), product));
}
template <bool Ftz, bool Sat, bool Relu, class E> inline E fmaOne(E a, E b, E c) {
    const f64 exact = oddSum(f64(comparable<Ftz>(a)) * f64(comparable<Ftz>(b)), f64(comparable<Ftz>(c)));
    return finishedHalf<Ftz, Sat, Relu>(flushedTiny<Ftz>(nearest<E>(narrowedToOdd(exact)), exact));
}
template <class E> inline bool isNanHalf(E a) { return (a.bits & 0x7fff) > (std::is_same_v<E, f16> ? 0x7c00 : 0x7f80); }
template <bool Ftz, class E> inline E negOne(E a) { return isNanHalf(a) ? E{0x7fff} : flushedHalf<Ftz>(E{u16(a.bits ^ 0x8000)}); }
template <bool Ftz, class E> inline E absOne(E a) { return isNanHalf(a) ? E{0x7fff} : flushedHalf<Ftz>(E{u16(a.bits & 0x7fff)}); }

template <bool Greater, bool Ftz, bool NanWins, bool XorSign, class E> inline E extremeOne(E a, E b) {
    const u32 signs = XorSign ? (a.bits ^ b.bits) & 0x8000 : 0;
    const E left = flushedHalf<Ftz>(XorSign ? E{u16(a.bits & 0x7fff)} : a), right = flushedHalf<Ftz>(XorSign ? E{u16(b.bits & 0x7fff)} : b);
    const f32 x = toFloat(left), y = toFloat(right);
    const bool leftIsLess = x < y || (x == y && left.bits > right.bits);
    const E number = leftIsLess == Greater ? right : left;
    const E chosen = x != x ? (NanWins ? E{0x7fff} : right) : y != y ? (NanWins ? E{0x7fff} : left) : number;
    const f32 value = toFloat(chosen);
    return value != value ? E{0x7fff} : E{u16(chosen.bits | signs)};
}

template <bool Ftz, bool Sat, class T> inline T add(T a, T b) { return mapped<addOne<Ftz, Sat, Element<T>>>(a, b); }
template <bool Ftz, bool Sat, class T> inline T sub(T a, T b) { return mapped<subOne<Ftz, Sat, Element<T>>>(a, b); }
template <bool Ftz, bool Sat, class T> inline T mul(T a, T b) { return mapped<mulOne<Ftz, Sat, Element<T>>>(a, b); }
template <bool Ftz, bool Sat, bool Relu, class T> inline T fma(T a, T b, T c) { return mapped<fmaOne<Ftz, Sat, Relu, Element<T>>>(a, b, c); }
template <bool Ftz, class T> inline T neg(T a) { return mapped<negOne<Ftz, Element<T>>>(a); }
template <bool Ftz, class T> inline T abs(T a) { return mapped<absOne<Ftz, Element<T>>>(a); }
template <bool Greater, bool Ftz, bool NanWins, bool XorSign, class T> inline T extreme(T a, T b) {
    return mapped<extremeOne<Greater, Ftz, NanWins, XorSign, Element<T>>>(a, b);
}

// ---- setp of pairs: p is of the lower halves, q of the upper ones. set: a number per half.
template <class T> inline Element<T> lower(T a) { return {u16(a.bits)}; }
template <class T> inline Element<T> upper(T a) { return {u16(a.bits >> 16)}; }
template <Comparison C, bool Ftz, class T> inline WithPredicate<bool> setp(T a, T b) {
    return {compared<C>(comparable<Ftz>(lower(a)), comparable<Ftz>(lower(b))), compared<C>(comparable<Ftz>(upper(a)), comparable<Ftz>(upper(b)))};
}
template <Comparison C, BooleanOp B, bool Ftz, class T> inline WithPredicate<bool> setpWith(T a, T b, bool c) {
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
constexpr std::array kFma = {
    opcode<fma<Ftz, Sat, Relu, T>>(form<"fma.rn", kIf<Ftz, ".ftz">, kIf<Sat, ".sat">, kIf<Relu, ".relu">, ".", kTypeName<T>>)};
template <bool Ftz, class T>
constexpr std::array kSigns = {
    opcode<neg<Ftz, T>>(form<"neg", kIf<Ftz, ".ftz">, ".", kTypeName<T>>),
    opcode<abs<Ftz, T>>(form<"abs", kIf<Ftz, ".ftz">, ".", kTypeName<T>>),
};
template <bool Ftz, bool NanWins, bool XorSign, class T>
constexpr std::array kExtremesOf = {
    opcode<extreme<false, Ftz, NanWins, XorSign, T>>(form<"min", kIf<Ftz, ".ftz">, kIf<NanWins, ".NaN">, kIf<XorSign, ".xorsign.abs">, ".", kTypeName<T>>),
    opcode<extreme<true, Ftz, NanWins, XorSign, T>>(form<"max", kIf<Ftz, ".ftz">, kIf<NanWins, ".NaN">, kIf<XorSign, ".xorsign.abs">, ".", kTypeName<T>>),
};
template <bool Ftz, class T>
constexpr auto kExtremes = concat(kExtremesOf<Ftz, false, false, T>, kExtremesOf<Ftz, true, false, T>,
                                  kExtremesOf<Ftz, false, true, T>, kExtremesOf<Ftz, true, true, T>);
template <class T>
constexpr auto kHalfArithmetic = concat(
    kSums<"", false, false, T>, kSums<"", false, true, T>, kSums<"", true, false, T>, kSums<"", true, true, T>,
    kSums<".rn", false, false, T>, kSums<".rn", false, true, T>, kSums<".rn", true, false, T>, kSums<".rn", true, true, T>,
    kFma<false, false, false, T>, kFma<false, true, false, T>, kFma<true, false, false, T>, kFma<true, true, false, T>,
    kFma<false, false, true, T>, kFma<true, false, true, T>,
    kSigns<false, T>, kSigns<true, T>, kExtremes<false, T>, kExtremes<true, T>);
template <class T>
constexpr auto kBrainArithmetic = concat(kSums<"", false, false, T>, kSums<".rn", false, false, T>, kFma<false, false, false, T>,
                                         kFma<false, false, true, T>, kSigns<false, T>, kExtremes<false, T>);

template <Comparison C, bool Ftz, class T>
constexpr std::array kCompareOf = {
    scalarOpcode<setp<C, Ftz, T>>(form<"setp", kComparisonName<C>, kIf<Ftz, ".ftz">, ".", kTypeName<T>>),
    scalarOpcode<setpWith<C, BooleanOp::And, Ftz, T>>(form<"setp", kComparisonName<C>, ".and", kIf<Ftz, ".ftz">, ".", kTypeName<T>>),
    scalarOpcode<setpWith<C, BooleanOp::Or, Ftz, T>>(form<"setp", kComparisonName<C>, ".or", kIf<Ftz, ".ftz">, ".", kTypeName<T>>),
    scalarOpcode<setpWith<C, BooleanOp::Xor, Ftz, T>>(form<"setp", kComparisonName<C>, ".xor", kIf<Ftz, ".ftz">, ".", kTypeName<T>>),
    scalarOpcode<setFloats<C, Ftz, T>>(form<"set", kComparisonName<C>, kIf<Ftz, ".ftz">, ".", kTypeName<T>, ".", kTypeName<T>>),
    scalarOpcode<setBits<C, Ftz, T>>(form<"set", kComparisonName<C>, kIf<Ftz, ".ftz">, ".u32.", kTypeName<T>>),
    scalarOpcode<setBits<C, Ftz, T>>(form<"set", kComparisonName<C>, kIf<Ftz, ".ftz">, ".s32.", kTypeName<T>>),
};
template <bool Ftz, class T, Comparison... C>
constexpr auto compareRows(Comparisons<C...>) { return concat(kCompareOf<C, Ftz, T>...); }

constexpr auto kPackedFloatOpcodes = concat(
    kHalfArithmetic<f16>, kHalfArithmetic<f16x2>, kBrainArithmetic<bf16>, kBrainArithmetic<bf16x2>,
    compareRows<false, f16x2>(FloatComparisons{}), compareRows<true, f16x2>(FloatComparisons{}), compareRows<false, bf16x2>(FloatComparisons{}));

}  // namespace

std::span<const OpcodeRow> packedFloatOpcodes() { return kPackedFloatOpcodes; }

}  // namespace lockstep::simt
