#include "run/sample/linear_value.h"

#include <algorithm>
#include <bit>
#include <optional>

namespace lockstep::run {
namespace {

using Kind = LinearValue::Kind;
using ptx::Comparison;
using Wide = __int128;

constexpr s64 kLeast = std::numeric_limits<s64>::min(), kMost = std::numeric_limits<s64>::max();
constexpr u32 kMostZeros = 63;

Range rangeOf(Wide least, Wide most) {
    if (least <= kLeast || most >= kMost) return {};
    return {s64(least), s64(most)};
}

Range plus(Range a, Range b) {
    if (!a.isBounded() || !b.isBounded()) return {};
    return rangeOf(Wide{a.least} + b.least, Wide{a.most} + b.most);
}

Range times(Range a, Range b) {
    if (!a.isBounded() || !b.isBounded()) return {};
    const std::array<Wide, 4> ends{Wide{a.least} * b.least, Wide{a.least} * b.most, Wide{a.most} * b.least,
                                   Wide{a.most} * b.most};
    return rangeOf(std::ranges::min(ends), std::ranges::max(ends));
}

u32 zerosOf(s64 number) { return number == 0 ? kMostZeros : u32(std::countr_zero(u64(number))); }

struct Limits {
    Wide least, most;
};
Limits limitsOf(ptx::Type type) {
    const u32 bits = 8 * std::max(ptx::bytesOf(type), 1u);
    const Wide one = 1;
    return ptx::isSigned(type) ? Limits{-(one << (bits - 1)), (one << (bits - 1)) - 1}
                               : Limits{0, (one << bits) - 1};
}

// The worse of both: nothing is known of what is made from them.
std::optional<LinearValue> spoilt(const LinearValue& a, const LinearValue& b) {
    if (a.kind == Kind::Data || b.kind == Kind::Data) return otherValue(true);
    if (!a.isNumber() || !b.isNumber()) return otherValue(false);
    return std::nullopt;
}

LinearValue affine(const LinearValue& a, const LinearValue& b) {
    LinearValue value;
    value.kind = Kind::Affine;
    value.zeros = std::min(a.zeros, b.zeros);
    value.mayJump = a.mayJump || b.mayJump;
    return value;
}

// With the coefficients that it has by now.
LinearValue settled(LinearValue value) {
    const bool any = std::ranges::any_of(value.coefficients, [](s64 c) { return c != 0; });
    value.kind = any ? Kind::Linear : Kind::Same;
    if (!any) value.mayJump = false;
    return value;
}

LinearValue scaled(const LinearValue& value, s64 factor) {
    LinearValue result = value;
    if (value.kind == Kind::Affine) return result;
    for (s64& coefficient : result.coefficients)
        if (__builtin_mul_overflow(coefficient, factor, &coefficient)) return affine(value, value);
    result.rest = times(value.rest, Range::of(factor));
    result.zeros = std::min(value.zeros + zerosOf(factor), kMostZeros);
    return settled(result);
}

enum class Sign : u8 { Less, NotGreater, Greater, NotLess, Equal, Unequal, None };
Sign signOf(Comparison comparison) {
    switch (comparison) {
        case Comparison::Lt:
        case Comparison::Lo: return Sign::Less;
        case Comparison::Le:
        case Comparison::Ls: return Sign::NotGreater;
        case Comparison::Gt:
        case Comparison::Hi: return Sign::Greater;
        case Comparison::Ge:
        case Comparison::Hs: return Sign::NotLess;
        case Comparison::Eq: return Sign::Equal;
        case Comparison::Ne: return Sign::Unequal;
        default: return Sign::None;
    }
}

bool isDecided(Sign sign, Range difference) {
    if (!difference.isBounded()) return false;
    switch (sign) {
        case Sign::Less:
        case Sign::NotLess: return difference.most < 0 || difference.least >= 0;
        case Sign::Greater:
        case Sign::NotGreater: return difference.most <= 0 || difference.least > 0;
        case Sign::Equal:
        case Sign::Unequal: return difference.most < 0 || difference.least > 0;
        case Sign::None: break;
    }
    return false;
}

LinearValue halfSpace(const LinearValue& of, const Positions& positions) {
    LinearValue value;
    value.kind = Kind::Half;
    for (u32 axis = 0; axis < 3; ++axis)
        if (of.coefficients[axis] != 0 && positions.extent(axis) > 0)
            value.axes = u8(value.axes | 1u << axis);
    return value;
}

// A number that may wrap around, compared with a fixed one: along the circle of all numbers, those for which
// it is true and those for which it is false are one arc each. If both are longer than what lies between two
// corners, no arc fits between two corners that agree.
bool arcsAreLong(const LinearValue& number, const LinearValue& fixed, ptx::Type type,
                 const Positions& positions) {
    if (number.mayJump || !number.hasCoefficients() || fixed.kind != Kind::Same) return false;
    if (!fixed.rest.isBounded() || !positions.fits(fixed, type)) return false;
    const Limits limits = limitsOf(type);
    const Wide span = positions.spanOf(number);
    return fixed.rest.least - limits.least > span && limits.most - fixed.rest.most > span;
}

}  // namespace

Range Positions::rangeOf(const LinearValue& value) const {
    Range range = value.rest;
    for (u32 axis = 0; axis < 3; ++axis) {
        const Range along = times(Range::of(value.coefficients[axis]), {first[axis], last[axis]});
        range = plus(range, along);
    }
    return range;
}

s64 Positions::spanOf(const LinearValue& value) const {
    Wide span = 0;
    for (u32 axis = 0; axis < 3; ++axis) {
        const Wide along = Wide{value.coefficients[axis]} * extent(axis);
        span += along < 0 ? -along : along;
    }
    return s64(std::min<Wide>(span, kMost));
}

bool Positions::fits(const LinearValue& value, ptx::Type type) const {
    if (!value.hasCoefficients() || value.mayJump) return false;
    const Range range = rangeOf(value);
    const Limits limits = limitsOf(type);
    return range.isBounded() && range.least >= limits.least && range.most <= limits.most;
}

LinearValue sameValue(Range range, u32 zeros) {
    LinearValue value;
    value.kind = Kind::Same;
    value.rest = range;
    value.zeros = range.isOne() ? zerosOf(range.least) : zeros;
    return value;
}

LinearValue otherValue(bool isData) {
    LinearValue value;
    value.kind = isData ? Kind::Data : Kind::Other;
    return value;
}

LinearValue joined(const LinearValue& a, const LinearValue& b) {
    if (a == b) return a;
    const auto isHalf = [](const LinearValue& v) { return v.kind == Kind::Half; };
    const auto isSame = [](const LinearValue& v) { return v.kind == Kind::Same; };
    if ((isHalf(a) && (isHalf(b) || isSame(b))) || (isHalf(b) && isSame(a))) {
        LinearValue value;
        value.kind = Kind::Half;
        value.axes = u8(a.axes | b.axes);
        return value;
    }
    if (const auto bad = spoilt(a, b)) return *bad;
    if (!a.hasCoefficients() || !b.hasCoefficients() || a.coefficients != b.coefficients) return affine(a, b);
    LinearValue value = a;
    value.rest = {std::min(a.rest.least, b.rest.least), std::max(a.rest.most, b.rest.most)};
    if (!value.rest.isBounded()) value.rest = {};
    value.zeros = std::min(a.zeros, b.zeros);
    value.mayJump = a.mayJump || b.mayJump;
    return value;
}

LinearValue sum(const LinearValue& a, const LinearValue& b) {
    if (const auto bad = spoilt(a, b)) return *bad;
    if (!a.hasCoefficients() || !b.hasCoefficients()) return affine(a, b);
    LinearValue value = a;
    for (u32 axis = 0; axis < 3; ++axis)
        if (__builtin_add_overflow(a.coefficients[axis], b.coefficients[axis], &value.coefficients[axis]))
            return affine(a, b);
    value.rest = plus(a.rest, b.rest);
    value.zeros = std::min(a.zeros, b.zeros);
    value.mayJump = a.mayJump || b.mayJump;
    // What jumps in some blocks still does, even where the coefficients cancel out.
    if (value.mayJump) return value.kind = Kind::Linear, value;
    return settled(value);
}

LinearValue product(const LinearValue& a, const LinearValue& b) {
    if (const auto bad = spoilt(a, b)) return *bad;
    if (a.kind != Kind::Same && b.kind != Kind::Same) return otherValue(false);
    const LinearValue &number = a.kind == Kind::Same ? b : a, &factor = a.kind == Kind::Same ? a : b;
    if (factor.rest.isOne()) return scaled(number, factor.rest.least);
    if (number.kind == Kind::Same)
        return sameValue(times(a.rest, b.rest), std::min(a.zeros + b.zeros, kMostZeros));
    LinearValue value = affine(number, number);
    value.zeros = std::min(number.zeros + factor.zeros, kMostZeros);
    return value;
}

LinearValue extended(const LinearValue& value, ptx::Type from, const Positions& positions) {
    if (!value.isNumber() || positions.fits(value, from)) return value;
    LinearValue result = value;
    result.rest = {};
    result.zeros = std::min(value.zeros, 31u);
    result.mayJump = value.kind != Kind::Same;
    return result;
}

LinearValue bitwise(std::string_view opcode, const LinearValue& a, const LinearValue& b) {
    if (const auto bad = spoilt(a, b)) return *bad;
    const LinearValue &number = a.rest.isOne() && a.kind == Kind::Same ? b : a, &mask = &number == &a ? b : a;
    const auto isBelow = [](const LinearValue& v, u32 zeros) {
        return v.kind == Kind::Same && v.rest.isBounded() && v.rest.least >= 0 && zeros < kMostZeros &&
               v.rest.most < s64{1} << zeros;
    };
    // Where one has no bits below those of the other.
    if (opcode == "or" || opcode == "xor") {
        if (isBelow(a, b.zeros) || isBelow(b, a.zeros)) return sum(a, b);
    }
    // All but the low bits, of which no coefficient changes any.
    const s64 cut = mask.rest.isOne() && mask.rest.least < 0 ? -mask.rest.least : 0;
    if (opcode == "and" && mask.kind == Kind::Same && cut > 0 && std::has_single_bit(u64(cut)) &&
        number.kind != Kind::Affine && !number.mayJump &&
        std::ranges::all_of(number.coefficients, [&](s64 c) { return zerosOf(c) >= zerosOf(cut); })) {
        LinearValue result = number;
        result.rest = plus(number.rest, {-(cut - 1), 0});
        result.zeros = zerosOf(cut);
        return result;
    }
    // The low bits, of which no coefficient changes any.
    const bool isMask = mask.kind == Kind::Same && mask.rest.isBounded() && mask.rest.least >= 0;
    const u32 bits = isMask ? u32(std::bit_width(u64(mask.rest.most))) : kMostZeros;
    const bool isUntouched =
        isMask && number.kind != Kind::Affine && !number.mayJump &&
        std::ranges::all_of(number.coefficients, [&](s64 c) { return zerosOf(c) >= bits; });
    if (!isUntouched) return mixed(a, b);
    if (opcode == "and") return sameValue({0, mask.rest.most});
    LinearValue result = number;
    result.rest = plus(number.rest, {-mask.rest.most, mask.rest.most});
    result.zeros = 0;
    return result;
}

LinearValue shiftedRight(const LinearValue& value, const LinearValue& by, ptx::Type type,
                         const Positions& positions) {
    if (const auto bad = spoilt(value, by)) return *bad;
    const bool isKnown = by.kind == Kind::Same && by.rest.isOne() && by.rest.least >= 0 &&
                         by.rest.least < 63 && positions.fits(value, type);
    const s64 shift = isKnown ? by.rest.least : 0;
    // The sign, where it is known.
    if (const Range range = isKnown ? positions.rangeOf(value) : Range{};
        isKnown && range.least >> shift == range.most >> shift)
        return sameValue(Range::of(range.least >> shift));
    if (!isKnown || std::ranges::any_of(value.coefficients, [&](s64 c) { return s64{zerosOf(c)} < shift; }))
        return mixed(value, by);
    LinearValue result = value;
    for (s64& coefficient : result.coefficients)
        coefficient >>= shift;
    result.rest = {value.rest.least >> shift, value.rest.most >> shift};
    result.zeros = value.zeros > u32(shift) ? value.zeros - u32(shift) : 0;
    return settled(result);
}

LinearValue extreme(bool isGreater, const LinearValue& a, const LinearValue& b, ptx::Type type,
                    const Positions& positions) {
    if (const auto bad = spoilt(a, b)) return *bad;
    if (!positions.fits(a, type) || !positions.fits(b, type)) return mixed(a, b);
    const Range difference = positions.rangeOf(sum(a, scaled(b, -1)));
    if (difference.isBounded() && difference.least >= 0) return isGreater ? a : b;
    if (difference.isBounded() && difference.most <= 0) return isGreater ? b : a;
    if (a.kind != Kind::Same || b.kind != Kind::Same) return otherValue(false);
    const auto pick = [&](s64 x, s64 y) { return isGreater ? std::max(x, y) : std::min(x, y); };
    return sameValue({pick(a.rest.least, b.rest.least), pick(a.rest.most, b.rest.most)},
                     std::min(a.zeros, b.zeros));
}

LinearValue compared(Comparison comparison, const LinearValue& a, const LinearValue& b, ptx::Type type,
                     const Positions& positions) {
    if (const auto bad = spoilt(a, b)) return *bad;
    if (a.kind == Kind::Same && b.kind == Kind::Same) return sameValue();
    const Sign sign = signOf(comparison);
    if (ptx::isFloat(type) || sign == Sign::None) return otherValue(false);
    const bool isOrder = sign != Sign::Equal && sign != Sign::Unequal;
    if (positions.fits(a, type) && positions.fits(b, type)) {
        const LinearValue difference = sum(a, scaled(b, -1));
        if (difference.kind == Kind::Same || isDecided(sign, positions.rangeOf(difference)))
            return sameValue();
        if (difference.kind == Kind::Linear && isOrder) return halfSpace(difference, positions);
        return otherValue(false);
    }
    if (isOrder && arcsAreLong(a, b, type, positions)) return halfSpace(a, positions);
    if (isOrder && arcsAreLong(b, a, type, positions)) return halfSpace(b, positions);
    return otherValue(false);
}

LinearValue combined(const LinearValue& p, const LinearValue& q) {
    if (p.kind == Kind::Data || q.kind == Kind::Data) return otherValue(true);
    const auto isKnown = [](const LinearValue& v) { return v.kind == Kind::Same || v.kind == Kind::Half; };
    if (!isKnown(p) || !isKnown(q) || (p.axes & q.axes)) return otherValue(false);
    LinearValue value;
    value.axes = u8(p.axes | q.axes);
    value.kind = value.axes ? Kind::Half : Kind::Same;
    return value;
}

LinearValue mixed(const LinearValue& a, const LinearValue& b) {
    if (a.kind == Kind::Data || b.kind == Kind::Data) return otherValue(true);
    if (a.kind == Kind::Same && b.kind == Kind::Same) return sameValue();
    return otherValue(false);
}

}  // namespace lockstep::run
