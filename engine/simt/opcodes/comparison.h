// a <op> b as PTX compares: every numeric type, ordered and unordered, and the optional boolean operation.
#pragma once

#include "ptx/instruction.h"
#include "simt/opcodes/lane_loop.h"
#include "simt/opcodes/opcode_names.h"
#include "simt/opcodes/small_floats.h"

namespace lockstep::simt {

using ptx::BooleanOp;
using ptx::Comparison;

// The compared value: the number itself, or a 16-bit float's value.
template <bool Ftz, class T> inline auto comparable(T x) {
    if constexpr (std::is_same_v<T, f16>)
        return toFloat(Ftz && !(x.bits & 0x7c00) ? f16{u16(x.bits & 0x8000)} : x);
    else if constexpr (std::is_same_v<T, bf16>)
        return toFloat(x);
    else
        return flushedIf<Ftz>(x);
}

template <Comparison C, class T> constexpr bool compared(T a, T b) {
    switch (C) {
        case Comparison::Eq: return a == b;
        case Comparison::Ne: return a < b || a > b;
        case Comparison::Lt:
        case Comparison::Lo: return a < b;
        case Comparison::Le:
        case Comparison::Ls: return a <= b;
        case Comparison::Gt:
        case Comparison::Hi: return a > b;
        case Comparison::Ge:
        case Comparison::Hs: return a >= b;
        case Comparison::Equ: return !(a < b || a > b);
        case Comparison::Neu: return !(a == b);
        case Comparison::Ltu: return !(a >= b);
        case Comparison::Leu: return !(a > b);
        case Comparison::Gtu: return !(a <= b);
        case Comparison::Geu: return !(a < b);
        case Comparison::Num: return a == a && b == b;
        case Comparison::Nan: return !(a == a && b == b);
        case Comparison::None: return false;
    }
    return false;
}

template <Comparison C> inline constexpr auto kComparisonName = Text{"?"};
template <> inline constexpr auto kComparisonName<Comparison::Eq> = Text{".eq"};
template <> inline constexpr auto kComparisonName<Comparison::Ne> = Text{".ne"};
template <> inline constexpr auto kComparisonName<Comparison::Lt> = Text{".lt"};
template <> inline constexpr auto kComparisonName<Comparison::Le> = Text{".le"};
template <> inline constexpr auto kComparisonName<Comparison::Gt> = Text{".gt"};
template <> inline constexpr auto kComparisonName<Comparison::Ge> = Text{".ge"};
template <> inline constexpr auto kComparisonName<Comparison::Lo> = Text{".lo"};
template <> inline constexpr auto kComparisonName<Comparison::Ls> = Text{".ls"};
template <> inline constexpr auto kComparisonName<Comparison::Hi> = Text{".hi"};
template <> inline constexpr auto kComparisonName<Comparison::Hs> = Text{".hs"};
template <> inline constexpr auto kComparisonName<Comparison::Equ> = Text{".equ"};
template <> inline constexpr auto kComparisonName<Comparison::Neu> = Text{".neu"};
template <> inline constexpr auto kComparisonName<Comparison::Ltu> = Text{".ltu"};
template <> inline constexpr auto kComparisonName<Comparison::Leu> = Text{".leu"};
template <> inline constexpr auto kComparisonName<Comparison::Gtu> = Text{".gtu"};
template <> inline constexpr auto kComparisonName<Comparison::Geu> = Text{".geu"};
template <> inline constexpr auto kComparisonName<Comparison::Num> = Text{".num"};
template <> inline constexpr auto kComparisonName<Comparison::Nan> = Text{".nan"};

template <BooleanOp B>
inline constexpr auto kBooleanName = [] {
    if constexpr (B == BooleanOp::And)
        return Text{".and"};
    else if constexpr (B == BooleanOp::Or)
        return Text{".or"};
    else if constexpr (B == BooleanOp::Xor)
        return Text{".xor"};
    else
        return Text{""};
}();

// Lists of comparisons as types, to expand families over.
template <Comparison... C> struct Comparisons {};
using BitComparisons = Comparisons<Comparison::Eq, Comparison::Ne>;
using SignedComparisons = Comparisons<Comparison::Eq, Comparison::Ne, Comparison::Lt, Comparison::Le,
                                      Comparison::Gt, Comparison::Ge>;
using UnsignedComparisons =
    Comparisons<Comparison::Eq, Comparison::Ne, Comparison::Lt, Comparison::Le, Comparison::Gt,
                Comparison::Ge, Comparison::Lo, Comparison::Ls, Comparison::Hi, Comparison::Hs>;
using FloatComparisons =
    Comparisons<Comparison::Eq, Comparison::Ne, Comparison::Lt, Comparison::Le, Comparison::Gt,
                Comparison::Ge, Comparison::Equ, Comparison::Neu, Comparison::Ltu, Comparison::Leu,
                Comparison::Gtu, Comparison::Geu, Comparison::Num, Comparison::Nan>;

// The comparison of all lanes, each a bit. Not inlined: set and setp have thousands of forms, which differ in
// what they do with these bits.
template <Comparison C, bool Ftz, class T>
[[gnu::noinline]] u32 comparedLanes(const std::byte* a, const std::byte* b) {
    const Source<T> first(a), second(b);
    u32 flags[32];
#pragma omp simd
    for (u32 lane = 0; lane < 32; ++lane)
        flags[lane] = 0 - u32(compared<C>(comparable<Ftz>(first[lane]), comparable<Ftz>(second[lane])));
    return maskOf(flags);
}
// The same, with the boolean operation on a predicate; None: there is no such operand, and it is not read.
template <BooleanOp B>
inline constexpr Storage kPredicateOf = B == BooleanOp::None ? Storage::None : Storage::Predicate;
template <BooleanOp B> inline constexpr u8 kComparedSources = B == BooleanOp::None ? 2 : 3;
template <BooleanOp B> u32 combinedLanes(u32 bits, [[maybe_unused]] const std::byte* predicate) {
    if constexpr (B == BooleanOp::None) {
        return bits;
    } else {
        u32 c;
        std::memcpy(&c, predicate, sizeof c);
        return B == BooleanOp::And ? bits & c : B == BooleanOp::Or ? bits | c : bits ^ c;
    }
}

}  // namespace lockstep::simt
