// What float and double instructions compute, with the NaN and the flushing of the GPU (simt's helpers,
// measured).
#include "simt/opcodes/directed_rounding.h"
#include "simt/opcodes/float_helpers.h"
#include "simt/opcodes/special_functions.h"
#include "time/machine/op_builder.h"
#include "time/machine/relations.h"

#include <cmath>

namespace lockstep::time {
namespace {

using ptx::Rounding;
using sass::Modifier;
using sass::Opcode;

enum class Does : u8 { Add, Multiply, MultiplyAdd };

template <Does D, Rounding R, bool Ftz, bool Sat> void arithmetic(const Op& op, WarpState& warp, u32 mask) {
    Lanes sa, sb, sc, result;
    const Lanes& a = lanesOf<Reads::Float>(op.sources[0], warp, sa);
    const Lanes& b = lanesOf<Reads::Float>(op.sources[1], warp, sb);
    const Lanes& c = lanesOf<Reads::Float>(op.sources[2], warp, sc);
    {
        const simt::RoundingMode<R> mode;
        for (u32 i = 0; i < kWarpSize; ++i) {
            const f32 x = simt::flushedIf<Ftz>(asFloat(a[i])), y = simt::flushedIf<Ftz>(asFloat(b[i])),
                      z = simt::flushedIf<Ftz>(asFloat(c[i]));
            f32 value = D == Does::Add ? x + y : D == Does::Multiply ? x * y : std::fma(x, y, z);
            if constexpr (Ftz && D != Does::Add) {
                const f32 scaled = D == Does::Multiply
                                       ? x * simt::kTinyScale * y
                                       : std::fma(x * simt::kTinyScale, y, z * simt::kTinyScale);
                if (simt::isTiny(value, scaled)) value = std::copysign(0.0f, value);
            }
            result[i] = bitsOf(simt::finished<Ftz, Sat>(value));
        }
        computedHere(result);
    }
    write(op, warp, mask, result);
}

template <Does D> Execute arithmeticOf(OpBuilder& b) {
    const bool ftz = b.has(Modifier::Ftz);
    if (b.has(Modifier::Sat))
        return ftz ? arithmetic<D, Rounding::Rn, true, true> : arithmetic<D, Rounding::Rn, false, true>;
    if (b.has(Modifier::Rz)) return ftz ? nullptr : arithmetic<D, Rounding::Rz, false, false>;
    if (b.has(Modifier::Rm)) return ftz ? nullptr : arithmetic<D, Rounding::Rm, false, false>;
    if (b.has(Modifier::Rp)) return ftz ? nullptr : arithmetic<D, Rounding::Rp, false, false>;
    return ftz ? arithmetic<D, Rounding::Rn, true, false> : arithmetic<D, Rounding::Rn, false, false>;
}

template <Does D> bool buildArithmetic(OpBuilder& b) {
    if (!b.destination() || !b.source(0) || !b.source(1)) return false;
    if (D == Does::MultiplyAdd && !b.source(2)) return false;
    b.op.execute = arithmeticOf<D>(b);
    return b.op.execute && b.left() == 0;
}

template <Does D, Rounding R> void doubleArithmetic(const Op& op, WarpState& warp, u32 mask) {
    WideLanes a, b, c, result;
    wideLanesOf<Reads::Float>(op.sources[0], warp, a);
    wideLanesOf<Reads::Float>(op.sources[1], warp, b);
    wideLanesOf<Reads::Float>(op.sources[2], warp, c);
    {
        const simt::RoundingMode<R> mode;
        for (u32 i = 0; i < kWarpSize; ++i) {
            const f64 x = asDouble(a[i]), y = asDouble(b[i]), z = asDouble(c[i]);
            const f64 value = D == Does::Add        ? simt::nanOf(x + y, x, y)
                              : D == Does::Multiply ? simt::nanOf(x * y, x, y)
                                                    : simt::nanOf(std::fma(x, y, z), x, y, z);
            result[i] = bitsOf(value);
        }
        computedHere(result);
    }
    writeWide(op, warp, mask, result);
}

template <Does D> bool buildDouble(OpBuilder& b) {
    if (!b.destination() || !b.source(0, true) || !b.source(1, true)) return false;
    if (D == Does::MultiplyAdd && !b.source(2, true)) return false;
    b.op.execute = b.has(Modifier::Rz)   ? doubleArithmetic<D, Rounding::Rz>
                   : b.has(Modifier::Rm) ? doubleArithmetic<D, Rounding::Rm>
                   : b.has(Modifier::Rp) ? doubleArithmetic<D, Rounding::Rp>
                                         : doubleArithmetic<D, Rounding::Rn>;
    return b.left() == 0;
}

void writeRelation(const Op& op, WarpState& warp, u32 mask, u32 lanes) {
    writePredicate(op, warp, mask, 0, combinedWith(op, warp, lanes));
    writePredicate(op, warp, mask, 1, combinedWith(op, warp, ~lanes));
}

template <bool Ftz> void compareFloats(const Op& op, WarpState& warp, u32 mask) {
    Lanes sa, sb;
    const Lanes& a = lanesOf<Reads::Float>(op.sources[0], warp, sa);
    const Lanes& b = lanesOf<Reads::Float>(op.sources[1], warp, sb);
    u32 lanes = 0;
    for (u32 i = 0; i < kWarpSize; ++i) {
        const f32 x = simt::flushedIf<Ftz>(asFloat(a[i])), y = simt::flushedIf<Ftz>(asFloat(b[i]));
        lanes |= u32((op.extra & relation(x, y)) != 0) << i;
    }
    writeRelation(op, warp, mask, lanes);
}

void compareDoubles(const Op& op, WarpState& warp, u32 mask) {
    WideLanes a, b;
    wideLanesOf<Reads::Float>(op.sources[0], warp, a);
    wideLanesOf<Reads::Float>(op.sources[1], warp, b);
    u32 lanes = 0;
    for (u32 i = 0; i < kWarpSize; ++i)
        lanes |= u32((op.extra & relation(asDouble(a[i]), asDouble(b[i]))) != 0) << i;
    writeRelation(op, warp, mask, lanes);
}

template <bool Wide> bool buildCompare(OpBuilder& b) {
    b.predicates();
    const std::optional<u32> relation = relationOf(b);
    if (!relation || !b.source(0, Wide) || !b.source(1, Wide) || !b.condition(0)) return false;
    b.op.extra = *relation;
    b.op.execute = Wide ? compareDoubles : b.has(Modifier::Ftz) ? compareFloats<true> : compareFloats<false>;
    return b.left() == 0;
}

// PTX ISA, "min", "max": of a number and a NaN the number; -0 is less than +0.
f32 least(f32 x, f32 y) {
    if (x != x) return simt::canonical(y);
    if (y != y) return x;
    return x < y || (x == y && std::signbit(x)) ? x : y;
}
f32 greatest(f32 x, f32 y) {
    if (x != x) return simt::canonical(y);
    if (y != y) return x;
    return x > y || (x == y && !std::signbit(x)) ? x : y;
}
template <bool Ftz> void extremum(const Op& op, WarpState& warp, u32 mask) {
    Lanes sa, sb, result;
    const Lanes& a = lanesOf<Reads::Float>(op.sources[0], warp, sa);
    const Lanes& b = lanesOf<Reads::Float>(op.sources[1], warp, sb);
    const u32 isLeast = conditionLanes(op.conditions[0], warp);
    for (u32 i = 0; i < kWarpSize; ++i) {
        const f32 x = simt::flushedIf<Ftz>(asFloat(a[i])), y = simt::flushedIf<Ftz>(asFloat(b[i]));
        result[i] = bitsOf(isLeast >> i & 1 ? least(x, y) : greatest(x, y));
    }
    write(op, warp, mask, result);
}
bool buildExtremum(OpBuilder& b) {
    b.op.execute = b.has(Modifier::Ftz) ? extremum<true> : extremum<false>;
    return b.destination() && b.source(0) && b.source(1) && b.condition(0) && b.left() == 0;
}

template <auto F> u32 special(u32 bits) { return bitsOf(f32(F(asFloat(bits)))); }
// Of a double's upper word.
template <auto F> u32 specialUpper(u32 bits) { return u32(bitsOf(f64(F(asDouble(u64{bits} << 32)))) >> 32); }

bool buildSpecial(OpBuilder& b) {
    namespace unit = simt::special;
    if (!b.destination() || !b.source(0)) return false;
    b.op.execute = b.has(Modifier::Rcp)      ? lanewise1<Reads::Float, special<unit::reciprocal>>
                   : b.has(Modifier::Rsq)    ? lanewise1<Reads::Float, special<unit::reciprocalRoot>>
                   : b.has(Modifier::Sqrt)   ? lanewise1<Reads::Float, special<unit::root>>
                   : b.has(Modifier::Ex2)    ? lanewise1<Reads::Float, special<unit::powerOfTwo>>
                   : b.has(Modifier::Lg2)    ? lanewise1<Reads::Float, special<unit::logarithm>>
                   : b.has(Modifier::Tanh)   ? lanewise1<Reads::Float, special<unit::tangent>>
                   : b.has(Modifier::Rcp64h) ? lanewise1<Reads::Float, specialUpper<unit::reciprocalUpper>>
                   : b.has(Modifier::Rsq64h)
                       ? lanewise1<Reads::Float, specialUpper<unit::reciprocalRootUpper>>
                       : nullptr;
    // The unit gets the angle in turns, after the range reduction of FMUL.RZ: not measured apart from it.
    return b.op.execute && b.left() == 0;
}

// Whether a/b leaves the range in which the short sequence of a division rounds correctly; both sequences
// give the same result, so that only time depends on the exact bounds.
bool needsSlowDivision(u32 a, u32 b) {
    const s32 dividend = s32(a >> 23 & 0xff), divisor = s32(b >> 23 & 0xff);
    return dividend <= 24 || dividend == 255 || divisor <= 1 || divisor >= 253 || dividend - divisor >= 126 ||
           dividend - divisor <= -125;
}
void checkDivision(const Op& op, WarpState& warp, u32 mask) {
    Lanes sa, sb;
    const Lanes& a = lanesOf<Reads::Float>(op.sources[0], warp, sa);
    const Lanes& b = lanesOf<Reads::Float>(op.sources[1], warp, sb);
    u32 lanes = 0;
    for (u32 i = 0; i < kWarpSize; ++i)
        lanes |= u32(needsSlowDivision(a[i], b[i])) << i;
    writePredicate(op, warp, mask, 0, lanes);
}
bool buildCheckDivision(OpBuilder& b) {
    b.predicates();
    b.op.execute = checkDivision;
    return b.source(0) && b.source(1) && b.left() == 0;
}

constexpr std::array kRows = {
    ExecuteRow{Opcode::Dadd, buildDouble<Does::Add>},
    ExecuteRow{Opcode::Dfma, buildDouble<Does::MultiplyAdd>},
    ExecuteRow{Opcode::Dmul, buildDouble<Does::Multiply>},
    ExecuteRow{Opcode::Dsetp, buildCompare<true>},
    ExecuteRow{Opcode::Fadd, buildArithmetic<Does::Add>},
    ExecuteRow{Opcode::Fchk, buildCheckDivision},
    ExecuteRow{Opcode::Ffma, buildArithmetic<Does::MultiplyAdd>},
    ExecuteRow{Opcode::Fmnmx, buildExtremum},
    ExecuteRow{Opcode::Fmul, buildArithmetic<Does::Multiply>},
    ExecuteRow{Opcode::Fsetp, buildCompare<false>},
    ExecuteRow{Opcode::Mufu, buildSpecial},
};

}  // namespace

std::span<const ExecuteRow> floatRows() { return kRows; }

}  // namespace lockstep::time
