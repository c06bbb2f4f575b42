// What one lane computes on 16-bit floats, alone (f16, bf16) and in pairs (f16x2, bf16x2).
#include "simt/opcodes/comparison.h"
#include "simt/opcodes/lane_loop.h"
#include "simt/opcodes/opcode_table.h"
#include "simt/opcodes/packed_floats.h"

#include <type_traits>

namespace lockstep::simt {
namespace {

using namespace halves;

// Every operation is written once for a 16-bit float, in a word, and mapped over the halves of a pair.
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
