// What integer, logic and selection instructions compute. Meaning of each: CUDA Binary Utilities names them,
// the PTX instruction that ptxas makes them of defines them; checked against the emulator over the catalog.
#include "time/machine/op_builder.h"

#include <algorithm>
#include <bit>

namespace lockstep::time {
namespace {

using sass::Modifier;
using sass::Opcode;

// a + b + c and up to two carries in. A negated operand is its complement plus one, so that the carry out is
// that of a subtraction.
template <bool WithCarry> void addThree(const Op& op, WarpState& warp, u32 mask) {
    std::array<Lanes, 3> scratch;
    std::array<const Lanes*, 3> operands;
    u64 ones = 0;
    for (u32 s = 0; s < 3; ++s) {
        Source source = op.sources[s];
        if (source.negated) source.negated = false, source.inverted = !source.inverted, ++ones;
        operands[s] = &lanesOf<Reads::Integer>(source, warp, scratch[s]);
    }
    const u32 first = WithCarry ? conditionLanes(op.conditions[0], warp) : 0;
    const u32 second = WithCarry ? conditionLanes(op.conditions[1], warp) : 0;
    Lanes result;
    u32 carry = 0, twice = 0;
    for (u32 i = 0; i < kWarpSize; ++i) {
        u64 sum = ones + (*operands[0])[i] + (*operands[1])[i] + (*operands[2])[i];
        if constexpr (WithCarry) sum += (first >> i & 1) + (second >> i & 1);
        result[i] = u32(sum);
        carry |= u32(sum >> 32 != 0) << i;
        twice |= u32(sum >> 32 > 1) << i;
    }
    write(op, warp, mask, result);
    writePredicate(op, warp, mask, 0, carry);
    writePredicate(op, warp, mask, 1, twice);
}

bool buildAddThree(OpBuilder& b) {
    if (!b.destination()) return false;
    b.predicates();
    if (!b.source(0) || !b.source(1) || !b.source(2)) return false;
    if (!b.has(Modifier::X)) {
        const bool isPlain =
            b.op.predicates[0] == sass::kTruePredicate && b.op.predicates[1] == sass::kTruePredicate;
        b.op.execute = isPlain ? lanewise3<Reads::Integer, [](u32 x, u32 y, u32 z) { return x + y + z; }>
                               : addThree<false>;
        return b.left() == 0;
    }
    b.op.conditions = {PredicateSource{.isInverted = true}, PredicateSource{.isInverted = true}, {}};
    if (b.left() && !b.condition(0)) return false;
    if (b.left() && !b.condition(1)) return false;
    b.op.execute = addThree<true>;
    return b.left() == 0;
}

template <bool IsSigned, bool High> void multiplyWide(const Op& op, WarpState& warp, u32 mask) {
    Lanes sa, sb;
    const Lanes& a = lanesOf<Reads::Integer>(op.sources[0], warp, sa);
    const Lanes& b = lanesOf<Reads::Integer>(op.sources[1], warp, sb);
    WideLanes c, result;
    wideLanesOf<Reads::Integer>(op.sources[2], warp, c);
    const u32 carryIn = conditionLanes(op.conditions[0], warp);
    u32 carry = 0;
    for (u32 i = 0; i < kWarpSize; ++i) {
        const u64 product = IsSigned ? u64(s64(s32(a[i])) * s64(s32(b[i]))) : u64{a[i]} * b[i];
        const u64 sum = product + c[i], whole = sum + (carryIn >> i & 1);
        result[i] = whole;
        carry |= u32(sum < product || whole < sum) << i;
    }
    if constexpr (High) {
        Lanes upper;
        for (u32 i = 0; i < kWarpSize; ++i)
            upper[i] = u32(result[i] >> 32);
        write(op, warp, mask, upper);
    } else {
        writeWide(op, warp, mask, result);
    }
    writePredicate(op, warp, mask, 0, carry);
}

void multiplyAddCarry(const Op& op, WarpState& warp, u32 mask) {
    Lanes sa, sb, sc, result;
    const Lanes& a = lanesOf<Reads::Integer>(op.sources[0], warp, sa);
    const Lanes& b = lanesOf<Reads::Integer>(op.sources[1], warp, sb);
    const Lanes& c = lanesOf<Reads::Integer>(op.sources[2], warp, sc);
    const u32 carry = conditionLanes(op.conditions[0], warp);
    for (u32 i = 0; i < kWarpSize; ++i)
        result[i] = a[i] * b[i] + c[i] + (carry >> i & 1);
    write(op, warp, mask, result);
}

bool buildMultiplyAdd(OpBuilder& b) {
    if (!b.destination()) return false;
    b.predicates();
    const bool isWide = b.has(Modifier::Wide) || b.has(Modifier::Hi);
    if (!b.source(0) || !b.source(1) || !b.source(2, isWide)) return false;
    b.op.conditions[0] = {.isInverted = true};
    if (b.has(Modifier::X) && !b.condition(0)) return false;
    if (isWide) {
        const bool isUnsigned = b.has(Modifier::U32);
        b.op.execute = b.has(Modifier::Hi) ? isUnsigned ? multiplyWide<false, true> : multiplyWide<true, true>
                       : isUnsigned ? multiplyWide<false, false>
                                           : multiplyWide<true, false>;
    } else if (b.op.predicates[0] != sass::kTruePredicate) {
        return false;
    } else if (b.has(Modifier::X)) {
        b.op.execute = multiplyAddCarry;
    } else {
        b.op.execute = lanewise3<Reads::Integer, [](u32 x, u32 y, u32 z) { return x * y + z; }>;
    }
    return b.left() == 0;
}

// (a << shift) + b; .HI: the upper half of {c, a} << shift, plus b; SX32: c is the sign of a.
template <bool High, bool SignExtends> void shiftAdd(const Op& op, WarpState& warp, u32 mask) {
    Lanes sa, sb, sc, result;
    const Lanes& a = lanesOf<Reads::Integer>(op.sources[0], warp, sa);
    const Lanes& b = lanesOf<Reads::Integer>(op.sources[1], warp, sb);
    const Lanes& c = lanesOf<Reads::Integer>(op.sources[2], warp, sc);
    const u32 carryIn = conditionLanes(op.conditions[0], warp);
    u32 carry = 0;
    for (u32 i = 0; i < kWarpSize; ++i) {
        const u64 pair = SignExtends ? u64(s64(s32(a[i]))) : a[i] | u64{c[i]} << 32;
        const u32 shifted = High ? u32(pair << op.extra >> 32) : a[i] << op.extra;
        const u64 sum = u64{shifted} + b[i] + (carryIn >> i & 1);
        result[i] = u32(sum);
        carry |= u32(sum >> 32) << i;
    }
    write(op, warp, mask, result);
    writePredicate(op, warp, mask, 0, carry);
}

bool buildShiftAdd(OpBuilder& b) {
    if (!b.destination()) return false;
    b.predicates();
    const bool isHigh = b.has(Modifier::Hi), signExtends = b.has(Modifier::Sx32);
    if (!b.source(0) || !b.source(1)) return false;
    if (isHigh && !signExtends && !b.source(2)) return false;
    if (!b.immediate(b.op.extra)) return false;
    b.op.extra &= 31;
    b.op.conditions[0] = {.isInverted = true};
    if (b.has(Modifier::X) && !b.condition(0)) return false;
    b.op.execute = !isHigh       ? shiftAdd<false, false>
                   : signExtends ? shiftAdd<true, true>
                                 : shiftAdd<true, false>;
    return b.left() == 0;
}

u32 tableOfTruth(u32 table, u32 a, u32 b, u32 c) {
    u32 result = 0;
    for (u32 row = 0; row < 8; ++row)
        if (table >> row & 1) result |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
    return result;
}

template <u32 Table> void commonLogic(const Op& op, WarpState& warp, u32 mask) {
    if constexpr (Table == 0xc0)
        lanewise2<Reads::Integer, [](u32 x, u32 y) { return x & y; }>(op, warp, mask);
    else if constexpr (Table == 0x3c)
        lanewise2<Reads::Integer, [](u32 x, u32 y) { return x ^ y; }>(op, warp, mask);
    else
        lanewise2<Reads::Integer, [](u32 x, u32 y) { return x | y; }>(op, warp, mask);
}

void logicThree(const Op& op, WarpState& warp, u32 mask) {
    Lanes sa, sb, sc, result;
    const Lanes& a = lanesOf<Reads::Integer>(op.sources[0], warp, sa);
    const Lanes& b = lanesOf<Reads::Integer>(op.sources[1], warp, sb);
    const Lanes& c = lanesOf<Reads::Integer>(op.sources[2], warp, sc);
    u32 isSet = 0;
    for (u32 i = 0; i < kWarpSize; ++i) {
        result[i] = tableOfTruth(op.extra, a[i], b[i], c[i]);
        isSet |= u32(result[i] != 0) << i;
    }
    write(op, warp, mask, result);
    writePredicate(op, warp, mask, 0, isSet | conditionLanes(op.conditions[0], warp));
}

bool buildLogicThree(OpBuilder& b) {
    b.predicates();
    if (!b.destination() || !b.source(0) || !b.source(1) || !b.source(2) || !b.immediate(b.op.extra))
        return false;
    if (b.left() && !b.condition(0)) return false;
    const bool isPlain = b.op.predicates[0] == sass::kTruePredicate;
    b.op.execute = !isPlain             ? logicThree
                   : b.op.extra == 0xc0 ? commonLogic<0xc0>
                   : b.op.extra == 0x3c ? commonLogic<0x3c>
                   : b.op.extra == 0xfc ? commonLogic<0xfc>
                                        : logicThree;
    return b.left() == 0;
}

void logicPredicates(const Op& op, WarpState& warp, u32 mask) {
    const u32 a = conditionLanes(op.conditions[0], warp), b = conditionLanes(op.conditions[1], warp),
              c = conditionLanes(op.conditions[2], warp);
    writePredicate(op, warp, mask, 0, tableOfTruth(op.extra & 0xff, a, b, c));
    writePredicate(op, warp, mask, 1, tableOfTruth(op.extra >> 8, a, b, c));
}

bool buildLogicPredicates(OpBuilder& b) {
    b.predicates();
    u32 first = 0, second = 0;
    if (!b.condition(0) || !b.condition(1) || !b.condition(2) || !b.immediate(first) || !b.immediate(second))
        return false;
    b.op.extra = (first & 0xff) | (second & 0xff) << 8;
    b.op.execute = logicPredicates;
    return b.left() == 0;
}

// {c, a} shifted: to the left or right, the upper or lower half of it. Shifts by more than the width give
// what is shifted in; .W takes them modulo the width.
struct Shift {
    bool left = false, high = false, isSigned = false, wide = false, wraps = false;
    u32 packed() const {
        return u32(left) | u32(high) << 1 | u32(isSigned) << 2 | u32(wide) << 3 | u32(wraps) << 4;
    }
};

template <bool Left, bool Signed> void shiftPair(const Op& op, WarpState& warp, u32 mask) {
    const bool high = op.extra >> 1 & 1, wide = op.extra >> 3 & 1, wraps = op.extra >> 4 & 1;
    Lanes sa, sb, sc, result;
    const Lanes& a = lanesOf<Reads::Integer>(op.sources[0], warp, sa);
    const Lanes& b = lanesOf<Reads::Integer>(op.sources[1], warp, sb);
    const Lanes& c = lanesOf<Reads::Integer>(op.sources[2], warp, sc);
    const u32 width = wide ? 64 : 32;
    for (u32 i = 0; i < kWarpSize; ++i) {
        const u32 by = wraps ? b[i] & (width - 1) : std::min(b[i], width);
        u64 pair = a[i] | u64{c[i]} << 32;
        if constexpr (Left)
            pair = by >= 64 ? 0 : pair << by;
        else if constexpr (Signed)
            pair = u64(s64(pair) >> std::min(by, 63u));
        else
            pair = by >= 64 ? 0 : pair >> by;
        result[i] = u32(high ? pair >> 32 : pair);
    }
    write(op, warp, mask, result);
}

bool buildShift(OpBuilder& b) {
    if (!b.destination() || !b.source(0) || !b.source(1) || !b.source(2)) return false;
    const Shift shift{.left = b.has(Modifier::L),
                      .high = b.has(Modifier::Hi),
                      .isSigned = b.has(Modifier::S32) || b.has(Modifier::S64),
                      .wide = b.has(Modifier::U64) || b.has(Modifier::S64),
                      .wraps = b.has(Modifier::W)};
    b.op.extra = shift.packed();
    b.op.execute = shift.left       ? shiftPair<true, false>
                   : shift.isSigned ? shiftPair<false, true>
                                    : shiftPair<false, false>;
    return b.left() == 0;
}

enum class Compares : u8 { Lt, Le, Eq, Ne, Ge, Gt };
enum class Combines : u8 { And, Or, Xor };

template <Compares C, class T> constexpr bool holds(T a, T b) {
    switch (C) {
        case Compares::Lt: return a < b;
        case Compares::Le: return a <= b;
        case Compares::Eq: return a == b;
        case Compares::Ne: return a != b;
        case Compares::Ge: return a >= b;
        case Compares::Gt: return a > b;
    }
}

u32 combined(Combines how, u32 a, u32 b) {
    return how == Combines::And ? a & b : how == Combines::Or ? a | b : a ^ b;
}

// extra: how it is combined, and whether it is the upper half of a comparison of 64 bits (.EX), whose lower
// half came out as conditions[1].
template <Compares C, class T> void compare(const Op& op, WarpState& warp, u32 mask) {
    Lanes sa, sb;
    const Lanes& a = lanesOf<Reads::Integer>(op.sources[0], warp, sa);
    const Lanes& b = lanesOf<Reads::Integer>(op.sources[1], warp, sb);
    u32 result = 0, equal = 0;
    for (u32 i = 0; i < kWarpSize; ++i) {
        result |= u32(holds<C>(T(a[i]), T(b[i]))) << i;
        equal |= u32(a[i] == b[i]) << i;
    }
    if (op.extra >> 8) {
        const u32 lower = conditionLanes(op.conditions[1], warp);
        result = C == Compares::Ne ? result | (equal & lower) : (result & ~equal) | (equal & lower);
    }
    const Combines how = Combines(op.extra & 0xff);
    const u32 with = conditionLanes(op.conditions[0], warp);
    writePredicate(op, warp, mask, 0, combined(how, result, with));
    writePredicate(op, warp, mask, 1, combined(how, ~result, with));
}

template <Compares C> Execute compareOf(bool isUnsigned) {
    return isUnsigned ? compare<C, u32> : compare<C, s32>;
}

bool buildCompare(OpBuilder& b) {
    b.predicates();
    if (!b.source(0) || !b.source(1) || !b.condition(0)) return false;
    const bool isUpper = b.has(Modifier::Ex), isUnsigned = b.has(Modifier::U32);
    if (isUpper && !b.condition(1)) return false;
    const Combines how = b.has(Modifier::Or)    ? Combines::Or
                         : b.has(Modifier::Xor) ? Combines::Xor
                                                : Combines::And;
    b.op.extra = u32(how) | u32(isUpper) << 8;
    b.op.execute = b.has(Modifier::Lt)   ? compareOf<Compares::Lt>(isUnsigned)
                   : b.has(Modifier::Le) ? compareOf<Compares::Le>(isUnsigned)
                   : b.has(Modifier::Eq) ? compareOf<Compares::Eq>(isUnsigned)
                   : b.has(Modifier::Ne) ? compareOf<Compares::Ne>(isUnsigned)
                   : b.has(Modifier::Ge) ? compareOf<Compares::Ge>(isUnsigned)
                   : b.has(Modifier::Gt) ? compareOf<Compares::Gt>(isUnsigned)
                                         : nullptr;
    return b.op.execute && b.left() == 0;
}

template <Reads R> void select(const Op& op, WarpState& warp, u32 mask) {
    Lanes sa, sb, result;
    const Lanes& a = lanesOf<R>(op.sources[0], warp, sa);
    const Lanes& b = lanesOf<R>(op.sources[1], warp, sb);
    const u32 first = conditionLanes(op.conditions[0], warp);
    for (u32 i = 0; i < kWarpSize; ++i)
        result[i] = first & kLaneBits[i] ? a[i] : b[i];
    write(op, warp, mask, result);
}

template <Reads R> bool buildSelect(OpBuilder& b) {
    b.op.execute = select<R>;
    return b.destination() && b.source(0) && b.source(1) && b.condition(0) && b.left() == 0;
}

template <class T> u32 lesser(u32 a, u32 b) { return u32(std::min(T(a), T(b))); }
template <class T> u32 greater(u32 a, u32 b) { return u32(std::max(T(a), T(b))); }

// The condition says which: true for the least. Of a + b and c (VIADDMNMX), of three, or of two operands.
enum class Extremum : u8 { OfTwo, OfThree, OfSum };
template <Extremum E, class T> void extremum(const Op& op, WarpState& warp, u32 mask) {
    Lanes sa, sb, sc, result;
    const Lanes& a = lanesOf<Reads::Integer>(op.sources[0], warp, sa);
    const Lanes& b = lanesOf<Reads::Integer>(op.sources[1], warp, sb);
    const Lanes& c = lanesOf<Reads::Integer>(op.sources[2], warp, sc);
    const u32 least = conditionLanes(op.conditions[0], warp);
    for (u32 i = 0; i < kWarpSize; ++i) {
        const u32 x = E == Extremum::OfSum ? a[i] + b[i] : a[i], y = E == Extremum::OfSum ? c[i] : b[i];
        const bool isLeast = least >> i & 1;
        result[i] = isLeast ? lesser<T>(x, y) : greater<T>(x, y);
        if constexpr (E == Extremum::OfThree)
            result[i] = isLeast ? lesser<T>(result[i], c[i]) : greater<T>(result[i], c[i]);
        if (op.extra) result[i] = greater<s32>(result[i], 0);
    }
    write(op, warp, mask, result);
}

template <Extremum E> bool buildExtremum(OpBuilder& b) {
    if (!b.destination() || !b.source(0) || !b.source(1)) return false;
    if (E != Extremum::OfTwo && !b.source(2)) return false;
    b.op.execute = b.has(Modifier::U32) ? extremum<E, u32> : extremum<E, s32>;
    b.op.extra = b.has(Modifier::Relu);  // not below zero
    return b.condition(0) && b.left() == 0;
}

// PTX ISA, "prmt": a selector's digit picks a byte of {b, a}; its upper bit takes that byte's sign for all
// bits.
u32 permuted(u32 a, u32 selector, u32 b) {
    const u64 bytes = a | u64{b} << 32;
    u32 result = 0;
    for (u32 i = 0; i < 4; ++i) {
        const u32 digit = selector >> (4 * i) & 15;
        u32 byte = u32(bytes >> (8 * (digit & 7))) & 0xff;
        if (digit & 8) byte = byte & 0x80 ? 0xff : 0;
        result |= byte << (8 * i);
    }
    return result;
}

template <class A, class B> u32 dotOfBytes(u32 a, u32 b, u32 c) {
    for (u32 i = 0; i < 4; ++i)
        c += u32(s32(A(a >> (8 * i))) * s32(B(b >> (8 * i))));
    return c;
}
template <class A, class B, u32 Upper> u32 dotOfShorts(u32 a, u32 b, u32 c) {
    for (u32 i = 0; i < 2; ++i)
        c += u32(s32(A(a >> (16 * i))) * s32(B(b >> (8 * i + 16 * Upper))));
    return c;
}

// Both types stand in the opcode; two of one kind leave one modifier.
bool buildDot(OpBuilder& b) {
    if (!b.destination() || !b.source(0) || !b.source(1) || !b.source(2)) return false;
    if (b.has(Modifier::N4A)) {
        const bool isSigned = b.has(Modifier::S8), isUnsigned = b.has(Modifier::U8);
        if (isSigned == isUnsigned) return false;  // which of them is which is not told apart
        b.op.execute = isSigned ? lanewise3<Reads::Integer, dotOfBytes<s8, s8>>
                                : lanewise3<Reads::Integer, dotOfBytes<u8, u8>>;
        return true;
    }
    if (!b.has(Modifier::N2A) || !b.has(Modifier::S16) || !b.has(Modifier::S8)) return false;
    b.op.execute = b.has(Modifier::Lo) ? lanewise3<Reads::Integer, dotOfShorts<s16, s8, 0>>
                                       : lanewise3<Reads::Integer, dotOfShorts<s16, s8, 1>>;
    return true;
}

template <auto F> bool buildOne(OpBuilder& b) {
    b.op.execute = lanewise1<Reads::Integer, F>;
    return b.destination() && b.source(0) && b.left() == 0;
}
template <auto F> bool buildTwo(OpBuilder& b) {
    b.op.execute = lanewise2<Reads::Integer, F>;
    return b.destination() && b.source(0) && b.source(1) && b.left() == 0;
}
template <auto F> bool buildThree(OpBuilder& b) {
    b.op.execute = lanewise3<Reads::Integer, F>;
    return b.destination() && b.source(0) && b.source(1) && b.source(2) && b.left() == 0;
}

// The highest bit that is set (of a signed number: that differs from the sign), or all ones. .SH: how far it
// is from the upper end.
template <bool Signed, bool ByShift> u32 leadingBit(u32 value) {
    if (Signed && s32(value) < 0) value = ~value;
    if (!value) return ~0u;
    const u32 fromAbove = u32(std::countl_zero(value));
    return ByShift ? fromAbove : 31 - fromAbove;
}
bool buildLeadingBit(OpBuilder& b) {
    const bool isUnsigned = b.has(Modifier::U32), byShift = b.has(Modifier::Sh);
    b.op.execute = isUnsigned ? byShift ? lanewise1<Reads::Integer, leadingBit<false, true>>
                                        : lanewise1<Reads::Integer, leadingBit<false, false>>
                   : byShift ? lanewise1<Reads::Integer, leadingBit<true, true>>
                              : lanewise1<Reads::Integer, leadingBit<true, false>>;
    if (!b.destination()) return false;
    b.predicates();
    return b.source(0) && b.left() == 0;
}

u32 reversedBits(u32 x) {
    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
    return x >> 24 | (x >> 8 & 0xff00) | (x & 0xff00) << 8 | x << 24;
}

constexpr std::array kRows = {
    ExecuteRow{Opcode::Brev, buildOne<reversedBits>},
    ExecuteRow{Opcode::Flo, buildLeadingBit},
    ExecuteRow{Opcode::Fsel, buildSelect<Reads::Float>},
    ExecuteRow{Opcode::Iabs, buildOne<[](u32 a) { return s32(a) < 0 ? 0 - a : a; }>},
    ExecuteRow{Opcode::Iadd3, buildAddThree},
    ExecuteRow{Opcode::Idp, buildDot},
    ExecuteRow{Opcode::Imad, buildMultiplyAdd},
    ExecuteRow{Opcode::Isetp, buildCompare},
    ExecuteRow{Opcode::Lea, buildShiftAdd},
    ExecuteRow{Opcode::Lop3, buildLogicThree},
    ExecuteRow{Opcode::Mov, buildOne<[](u32 a) { return a; }>},
    ExecuteRow{Opcode::Plop3, buildLogicPredicates},
    ExecuteRow{Opcode::Popc, buildOne<[](u32 a) { return u32(std::popcount(a)); }>},
    ExecuteRow{Opcode::Prmt, buildThree<permuted>},
    ExecuteRow{Opcode::Sel, buildSelect<Reads::Integer>},
    ExecuteRow{Opcode::Shf, buildShift},
    ExecuteRow{Opcode::Uflo, buildLeadingBit},
    ExecuteRow{Opcode::Uiadd3, buildAddThree},
    ExecuteRow{Opcode::Uimad, buildMultiplyAdd},
    ExecuteRow{Opcode::Uisetp, buildCompare},
    ExecuteRow{Opcode::Ulea, buildShiftAdd},
    ExecuteRow{Opcode::Ulop3, buildLogicThree},
    ExecuteRow{Opcode::Umov, buildOne<[](u32 a) { return a; }>},
    ExecuteRow{Opcode::Usel, buildSelect<Reads::Integer>},
    ExecuteRow{Opcode::Ushf, buildShift},
    ExecuteRow{Opcode::Vabsdiff,
               buildThree<[](u32 a, u32 b, u32 c) { return (s32(a) > s32(b) ? a - b : b - a) + c; }>},
    ExecuteRow{Opcode::Viadd, buildTwo<[](u32 a, u32 b) { return a + b; }>},
    ExecuteRow{Opcode::Viaddmnmx, buildExtremum<Extremum::OfSum>},
    ExecuteRow{Opcode::Vimnmx, buildExtremum<Extremum::OfTwo>},
    ExecuteRow{Opcode::Vimnmx3, buildExtremum<Extremum::OfThree>},
};

}  // namespace

std::span<const ExecuteRow> integerRows() { return kRows; }

}  // namespace lockstep::time
