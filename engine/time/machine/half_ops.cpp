// What instructions of halves compute, in pairs: binary16, and bfloat16 where they say so (simt's helpers,
// measured).
#include "simt/opcodes/packed_floats.h"
#include "time/machine/op_builder.h"
#include "time/machine/relations.h"

namespace lockstep::time {
namespace {

using sass::Halves;
using sass::Modifier;
using sass::Opcode;
using simt::BrainWord, simt::HalfWord;

// A source with its signs changed and one half in the place of both.
void pairsOf(const Source& source, const WarpState& warp, Lanes& pairs) {
    Source plain = source;
    plain.negated = plain.absolute = false;
    Lanes scratch;
    pairs = lanesOf<Reads::Bits>(plain, warp, scratch);
    const u32 kept = source.absolute ? 0x7fff7fff : ~0u, flipped = source.negated ? 0x80008000 : 0;
    for (u32 i = 0; i < kWarpSize; ++i) {
        u32 pair = pairs[i];
        if (source.halves == Halves::Lower) pair = (pair & 0xffff) * 0x10001;
        if (source.halves == Halves::Upper) pair = (pair >> 16) * 0x10001;
        pairs[i] = (pair & kept) ^ flipped;
    }
}

// The next source; a pair of constants is two operands, the upper one first.
bool pair(OpBuilder& b, std::size_t which) {
    const sass::Operand* const next = b.peek();
    if (!next || next->kind != sass::OperandKind::Immediate) return b.source(which);
    u32 upper = 0, lower = 0;
    if (!b.immediate(upper) || !b.immediate(lower)) return false;
    b.op.sources[which] = {.value = (upper & 0xffff) << 16 | (lower & 0xffff)};
    return true;
}

template <class E, auto F> void onPairs(const Op& op, WarpState& warp, u32 mask) {
    Lanes a, b, c, result;
    pairsOf(op.sources[0], warp, a);
    pairsOf(op.sources[1], warp, b);
    pairsOf(op.sources[2], warp, c);
    const auto one = [&](u32 i, u32 shift) {
        return F(E{a[i] >> shift & 0xffff}, E{b[i] >> shift & 0xffff}, E{c[i] >> shift & 0xffff}).bits;
    };
    for (u32 i = 0; i < kWarpSize; ++i)
        result[i] = one(i, 16) << 16 | one(i, 0);
    write(op, warp, mask, result);
}

enum class Does : u8 { Add, Multiply, MultiplyAdd };

template <Does D, bool Ftz, bool Sat, bool Relu, class E> E computed(E a, E b, E c) {
    if constexpr (D == Does::Add)
        return simt::halves::addOne<Ftz, Sat>(a, b);
    else if constexpr (D == Does::Multiply)
        return simt::halves::mulOne<Ftz, Sat>(a, b);
    else
        return simt::halves::fmaOne<Ftz, Sat, Relu>(a, b, c);
}
template <Does D, bool Ftz, bool Sat, bool Relu> Execute computes() {
    return onPairs<HalfWord, computed<D, Ftz, Sat, Relu, HalfWord>>;
}

template <Does D> Execute arithmeticOf(OpBuilder& b) {
    const bool ftz = b.has(Modifier::Ftz), relu = b.has(Modifier::Relu);
    if (b.has(Modifier::Bf16V2)) {
        if (b.has(Modifier::Sat) || ftz) return nullptr;
        return relu ? onPairs<BrainWord, computed<D, false, false, true, BrainWord>>
                    : onPairs<BrainWord, computed<D, false, false, false, BrainWord>>;
    }
    if (b.has(Modifier::Sat))
        return ftz ? computes<D, true, true, false>() : computes<D, false, true, false>();
    if (relu) return ftz ? computes<D, true, false, true>() : computes<D, false, false, true>();
    return ftz ? computes<D, true, false, false>() : computes<D, false, false, false>();
}

// Two halves to a float: exact, for a float has room for their sum's digits where one of them is zero.
void addToFloat(const Op& op, WarpState& warp, u32 mask) {
    Lanes a, b, result;
    pairsOf(op.sources[0], warp, a);
    pairsOf(op.sources[1], warp, b);
    for (u32 i = 0; i < kWarpSize; ++i)
        result[i] = bitsOf(simt::toFloat(HalfWord{a[i] & 0xffff}) + simt::toFloat(HalfWord{b[i] & 0xffff}));
    write(op, warp, mask, result);
}

template <Does D> bool buildArithmetic(OpBuilder& b) {
    if (!b.destination() || !pair(b, 0) || !pair(b, 1)) return false;
    if (D == Does::MultiplyAdd && !pair(b, 2)) return false;
    if (b.has(Modifier::F32)) {
        if (D != Does::Add || b.has(Modifier::Ftz) || b.has(Modifier::Sat) || b.has(Modifier::Bf16V2))
            return false;
        b.op.execute = addToFloat;
    } else {
        b.op.execute = arithmeticOf<D>(b);
    }
    return b.op.execute && b.left() == 0;
}

// By the condition the lesser one or the greater one.
template <class E, bool Ftz, bool NanWins, bool XorSign>
void extremum(const Op& op, WarpState& warp, u32 mask) {
    Lanes a, b, result;
    pairsOf(op.sources[0], warp, a);
    pairsOf(op.sources[1], warp, b);
    const u32 isLeast = conditionLanes(op.conditions[0], warp);
    for (u32 i = 0; i < kWarpSize; ++i) {
        const auto one = [&](u32 shift) {
            const E x{a[i] >> shift & 0xffff}, y{b[i] >> shift & 0xffff};
            return (isLeast >> i & 1 ? simt::halves::extremeOne<false, Ftz, NanWins, XorSign>(x, y)
                                     : simt::halves::extremeOne<true, Ftz, NanWins, XorSign>(x, y))
                .bits;
        };
        result[i] = one(16) << 16 | one(0);
    }
    write(op, warp, mask, result);
}
template <class E, bool Ftz> Execute extremumOf(OpBuilder& b) {
    if (b.has(Modifier::XorSign))
        return b.has(Modifier::Nan) ? extremum<E, Ftz, true, true> : extremum<E, Ftz, false, true>;
    return b.has(Modifier::Nan) ? extremum<E, Ftz, true, false> : extremum<E, Ftz, false, false>;
}
bool buildExtremum(OpBuilder& b) {
    b.op.execute = b.has(Modifier::Bf16V2) ? extremumOf<BrainWord, false>(b)
                   : b.has(Modifier::Ftz)  ? extremumOf<HalfWord, true>(b)
                                           : extremumOf<HalfWord, false>(b);
    return b.destination() && pair(b, 0) && pair(b, 1) && b.condition(0) && b.left() == 0;
}

// Which lanes' halves at `shift` stand in one of the relations of `extra`.
template <class E, bool Ftz> u32 related(const Op& op, const Lanes& a, const Lanes& b, u32 shift) {
    u32 lanes = 0;
    for (u32 i = 0; i < kWarpSize; ++i) {
        const f32 x = simt::halves::value<Ftz>(E{a[i] >> shift & 0xffff}),
                  y = simt::halves::value<Ftz>(E{b[i] >> shift & 0xffff});
        lanes |= u32((op.extra & relation(x, y)) != 0) << i;
    }
    return lanes;
}

// The first predicate is of the lower halves, the second of the upper ones.
template <class E, bool Ftz> void compare(const Op& op, WarpState& warp, u32 mask) {
    Lanes a, b;
    pairsOf(op.sources[0], warp, a);
    pairsOf(op.sources[1], warp, b);
    const u32 lower = combinedWith(op, warp, related<E, Ftz>(op, a, b, 0)),
              upper = combinedWith(op, warp, related<E, Ftz>(op, a, b, 16));
    writePredicate(op, warp, mask, 0, lower);
    writePredicate(op, warp, mask, 1, upper);
}

// The number one for a half that holds; all bits without .BF.
template <class E, bool Ftz, u32 True> void set(const Op& op, WarpState& warp, u32 mask) {
    Lanes a, b, result;
    pairsOf(op.sources[0], warp, a);
    pairsOf(op.sources[1], warp, b);
    const u32 lower = combinedWith(op, warp, related<E, Ftz>(op, a, b, 0)),
              upper = combinedWith(op, warp, related<E, Ftz>(op, a, b, 16));
    for (u32 i = 0; i < kWarpSize; ++i)
        result[i] = (upper >> i & 1 ? True << 16 : 0) | (lower >> i & 1 ? True : 0);
    write(op, warp, mask, result);
}

bool relatedHalves(OpBuilder& b) {
    const std::optional<u32> relation = relationOf(b);
    if (!relation || !pair(b, 0) || !pair(b, 1) || !b.condition(0)) return false;
    b.op.extra = *relation;
    return b.left() == 0;
}
bool buildCompare(OpBuilder& b) {
    b.predicates();
    b.op.execute = b.has(Modifier::Bf16V2) ? compare<BrainWord, false>
                   : b.has(Modifier::Ftz)  ? compare<HalfWord, true>
                                           : compare<HalfWord, false>;
    return relatedHalves(b);
}
bool buildSet(OpBuilder& b) {
    constexpr u32 kOne = 0x3c00, kBrainOne = 0x3f80, kAllBits = 0xffff;
    const bool isNumber = b.has(Modifier::Bf), ftz = b.has(Modifier::Ftz);
    if (b.has(Modifier::Bf16V2))
        b.op.execute = isNumber ? set<BrainWord, false, kBrainOne> : set<BrainWord, false, kAllBits>;
    else if (isNumber)
        b.op.execute = ftz ? set<HalfWord, true, kOne> : set<HalfWord, false, kOne>;
    else
        b.op.execute = ftz ? set<HalfWord, true, kAllBits> : set<HalfWord, false, kAllBits>;
    return b.destination() && relatedHalves(b);
}

// The first source becomes the upper half.
// Toward zero, which has a rule of its own for each format.
u32 towardZero(f32 x, bool isBrain) {
    if (x != x) return 0x7fff;
    return u32(simt::packed(isBrain ? simt::kBrainFormat : simt::kHalfFormat, x, ptx::Rounding::Rz, 15));
}
template <bool IsBrain> void packTowardZero(const Op& op, WarpState& warp, u32 mask) {
    Lanes sa, sb, result;
    const Lanes& a = lanesOf<Reads::Float>(op.sources[0], warp, sa);
    const Lanes& b = lanesOf<Reads::Float>(op.sources[1], warp, sb);
    for (u32 i = 0; i < kWarpSize; ++i)
        result[i] = towardZero(asFloat(a[i]), IsBrain) << 16 | towardZero(asFloat(b[i]), IsBrain);
    write(op, warp, mask, result);
}

template <class E, bool Relu> void pack(const Op& op, WarpState& warp, u32 mask) {
    Lanes sa, sb, result;
    const Lanes& a = lanesOf<Reads::Float>(op.sources[0], warp, sa);
    const Lanes& b = lanesOf<Reads::Float>(op.sources[1], warp, sb);
    const auto one = [](u32 bits) {
        return simt::halves::finishedWord<false, false, Relu>(simt::halves::nearest<E>(asFloat(bits))).bits;
    };
    for (u32 i = 0; i < kWarpSize; ++i)
        result[i] = one(a[i]) << 16 | one(b[i]);
    write(op, warp, mask, result);
}
bool buildPack(OpBuilder& b) {
    if (!b.has(Modifier::F32) || !b.has(Modifier::PackAb)) return false;
    const bool relu = b.has(Modifier::Relu);
    if (b.has(Modifier::Rz))
        b.op.execute = relu                    ? nullptr
                       : b.has(Modifier::F16)  ? packTowardZero<false>
                       : b.has(Modifier::Bf16) ? packTowardZero<true>
                                               : nullptr;
    else if (b.has(Modifier::F16))
        b.op.execute = relu ? pack<HalfWord, true> : pack<HalfWord, false>;
    else if (b.has(Modifier::Bf16))
        b.op.execute = relu ? pack<BrainWord, true> : pack<BrainWord, false>;
    return b.op.execute && b.destination() && b.source(0) && b.source(1) && b.left() == 0;
}

constexpr std::array kRows = {
    ExecuteRow{Opcode::F2fp, buildPack},
    ExecuteRow{Opcode::Hadd2, buildArithmetic<Does::Add>},
    ExecuteRow{Opcode::Hfma2, buildArithmetic<Does::MultiplyAdd>},
    ExecuteRow{Opcode::Hmnmx2, buildExtremum},
    ExecuteRow{Opcode::Hmul2, buildArithmetic<Does::Multiply>},
    ExecuteRow{Opcode::Hset2, buildSet},
    ExecuteRow{Opcode::Hsetp2, buildCompare},
};

}  // namespace

std::span<const ExecuteRow> halfRows() { return kRows; }

}  // namespace lockstep::time
