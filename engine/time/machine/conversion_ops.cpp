// Conversions between integers and floats.
#include "simt/opcodes/conversion.h"
#include "simt/opcodes/packed_floats.h"
#include "time/machine/op_builder.h"

#include <cmath>
#include <limits>
#include <type_traits>

namespace lockstep::time {
namespace {

using ptx::Rounding;
using sass::Modifier;
using sass::Opcode;

template <class T> constexpr bool kIsWide = sizeof(T) == 8;

// Operands and results of one or two registers.
template <class From, class To, class F>
void convertLanes(const Op& op, WarpState& warp, u32 mask, F convert) {
    constexpr Reads kReads = std::is_floating_point_v<From> ? Reads::Float : Reads::Integer;
    using FromBits = std::conditional_t<kIsWide<From>, u64, u32>;
    using ToBits = std::conditional_t<kIsWide<To>, u64, u32>;
    std::array<FromBits, kWarpSize> from;
    if constexpr (kIsWide<From>) {
        WideLanes wide;
        wideLanesOf<kReads>(op.sources[0], warp, wide);
        from = wide.at;
    } else {
        Lanes scratch;
        from = lanesOf<kReads>(op.sources[0], warp, scratch).at;
    }
    std::array<ToBits, kWarpSize> to;
    for (u32 i = 0; i < kWarpSize; ++i)
        to[i] = std::bit_cast<ToBits>(To(convert(std::bit_cast<From>(from[i]))));
    computedHere(to);
    if constexpr (kIsWide<To>) {
        writeWide(op, warp, mask, {to});
    } else {
        writeLanes(warp, op.destination, mask, {to});
    }
}

// Of a half in the lower bits of each lane, as a float.
template <class E> void halvesOf(const Op& op, const WarpState& warp, std::array<f32, kWarpSize>& values) {
    Lanes scratch;
    Source plain = op.sources[0];
    plain.negated = plain.absolute = false;
    const Lanes& from = lanesOf<Reads::Bits>(plain, warp, scratch);
    const u32 shift = plain.halves == sass::Halves::Upper ? 16 : 0;
    for (u32 i = 0; i < kWarpSize; ++i) {
        u32 bits = from[i] >> shift & 0xffff;
        if (op.sources[0].absolute) bits &= 0x7fff;
        if (op.sources[0].negated) bits ^= 0x8000;
        values[i] = simt::toFloat(E{bits});
    }
}

// A number in the lower half of each lane; above it zeros.
template <class From> u16 toHalf(From x) {
    constexpr int kSign = 15;
    if constexpr (std::is_floating_point_v<From>) {
        if (x != x) return 0x7fff;
        const u64 bits = std::bit_cast<u64>(f64(x)), fraction = bits & ((u64{1} << 52) - 1);
        const int exponent = int(bits >> 52 & 0x7ff);
        const bool isNegative = bits >> 63;
        const u64 sign = u64(isNegative) << kSign;
        if (exponent == 0x7ff) return u16(sign | simt::infinityOf(simt::kHalfFormat));
        return u16(sign |
                   simt::packMagnitude(simt::kHalfFormat, exponent ? fraction | u64{1} << 52 : fraction,
                                       (exponent ? exponent : 1) - 1075, isNegative, Rounding::Rn));
    } else {
        const bool isNegative = x < From(0);
        const u64 magnitude = isNegative ? 0 - u64(s64(x)) : u64(x);
        return u16(u64(isNegative) << kSign |
                   simt::packMagnitude(simt::kHalfFormat, magnitude, 0, isNegative, Rounding::Rn));
    }
}
template <class From> void intoHalf(const Op& op, WarpState& warp, u32 mask) {
    convertLanes<From, u32>(op, warp, mask, [](From x) { return u32(toHalf(x)); });
}

template <class From, class To, Rounding R> void toFloat(const Op& op, WarpState& warp, u32 mask) {
    const simt::RoundingMode<R> mode;
    convertLanes<From, To>(op, warp, mask, [](From x) { return To(x); });
}
template <class From, class To> Execute toFloatOf(OpBuilder& b) {
    return b.has(Modifier::Rp)   ? toFloat<From, To, Rounding::Rp>
           : b.has(Modifier::Rm) ? toFloat<From, To, Rounding::Rm>
           : b.has(Modifier::Rz) ? toFloat<From, To, Rounding::Rz>
                                 : toFloat<From, To, Rounding::Rn>;
}
template <class From> Execute toFloatOf(OpBuilder& b) {
    return b.has(Modifier::F64) ? toFloatOf<From, f64>(b) : toFloatOf<From, f32>(b);
}
bool buildToFloat(OpBuilder& b) {
    if (b.has(Modifier::U16) || b.has(Modifier::S16) || b.has(Modifier::U8) || b.has(Modifier::S8))
        return false;
    if (b.has(Modifier::Bf16)) return false;
    if (b.has(Modifier::F16)) {
        if (b.has(Modifier::Rz) || b.has(Modifier::Rm) || b.has(Modifier::Rp)) return false;
        b.op.execute = b.has(Modifier::U64)   ? intoHalf<u64>
                       : b.has(Modifier::S64) ? intoHalf<s64>
                       : b.has(Modifier::U32) ? intoHalf<u32>
                                              : intoHalf<s32>;
        return b.destination() && b.source(0, b.has(Modifier::U64) || b.has(Modifier::S64)) && b.left() == 0;
    }
    b.op.execute = b.has(Modifier::U64)   ? toFloatOf<u64>(b)
                   : b.has(Modifier::S64) ? toFloatOf<s64>(b)
                   : b.has(Modifier::U32) ? toFloatOf<u32>(b)
                                          : toFloatOf<s32>(b);
    return b.destination() && b.source(0, b.has(Modifier::U64) || b.has(Modifier::S64)) && b.left() == 0;
}

template <class From, class To, Rounding R> To wholeOf(From x) {
    if (x != x) return simt::kNanAsInteger<To, From>;
    const From whole = simt::integral<R>(x);
    // The least value of the type is a power of two or zero, and exact; the largest may not be.
    if (whole <= From(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
    if (whole >= From(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
    return To(whole);
}
template <class From, class To, Rounding R, bool Ftz>
void toInteger(const Op& op, WarpState& warp, u32 mask) {
    convertLanes<From, To>(op, warp, mask, [](From x) -> To {
        if constexpr (Ftz) x = simt::flushed(x);
        return wholeOf<From, To, R>(x);
    });
}
// Of 32 bits.
template <class E, class To, Rounding R> void halfToInteger(const Op& op, WarpState& warp, u32 mask) {
    std::array<f32, kWarpSize> from;
    halvesOf<E>(op, warp, from);
    Lanes to;
    for (u32 i = 0; i < kWarpSize; ++i)
        to[i] = u32(wholeOf<f32, To, R>(from[i]));
    writeLanes(warp, op.destination, mask, to);
}
template <class E, class To> Execute halfToIntegerOf(OpBuilder& b) {
    return b.has(Modifier::Trunc)   ? halfToInteger<E, To, Rounding::Rzi>
           : b.has(Modifier::Floor) ? halfToInteger<E, To, Rounding::Rmi>
           : b.has(Modifier::Ceil)  ? halfToInteger<E, To, Rounding::Rpi>
                                    : halfToInteger<E, To, Rounding::Rni>;
}
template <class E> bool buildHalfToInteger(OpBuilder& b) {
    if (b.has(Modifier::U64) || b.has(Modifier::S64) || b.has(Modifier::U16) || b.has(Modifier::S16) ||
        b.has(Modifier::U8) || b.has(Modifier::S8))
        return false;
    b.op.execute = b.has(Modifier::U32) ? halfToIntegerOf<E, u32>(b) : halfToIntegerOf<E, s32>(b);
    return b.destination() && b.source(0) && b.left() == 0;
}
template <Rounding R> void roundHalf(const Op& op, WarpState& warp, u32 mask) {
    std::array<f32, kWarpSize> from;
    halvesOf<simt::HalfWord>(op, warp, from);
    Lanes to;
    for (u32 i = 0; i < kWarpSize; ++i)
        to[i] = simt::halfWord(simt::integral<R>(from[i])).bits;
    writeLanes(warp, op.destination, mask, to);
}
template <class From, class To, bool Ftz> Execute toIntegerOf(OpBuilder& b) {
    return b.has(Modifier::Trunc)   ? toInteger<From, To, Rounding::Rzi, Ftz>
           : b.has(Modifier::Floor) ? toInteger<From, To, Rounding::Rmi, Ftz>
           : b.has(Modifier::Ceil)  ? toInteger<From, To, Rounding::Rpi, Ftz>
                                    : toInteger<From, To, Rounding::Rni, Ftz>;
}
template <class From, bool Ftz> Execute toIntegerOf(OpBuilder& b) {
    return b.has(Modifier::U64)   ? toIntegerOf<From, u64, Ftz>(b)
           : b.has(Modifier::S64) ? toIntegerOf<From, s64, Ftz>(b)
           : b.has(Modifier::U32) ? toIntegerOf<From, u32, Ftz>(b)
                                  : toIntegerOf<From, s32, Ftz>(b);
}
bool buildToInteger(OpBuilder& b) {
    if (b.has(Modifier::F16)) return buildHalfToInteger<simt::HalfWord>(b);
    if (b.has(Modifier::Bf16)) return buildHalfToInteger<simt::BrainWord>(b);
    const bool isDouble = b.has(Modifier::F64);
    b.op.execute = isDouble               ? toIntegerOf<f64, false>(b)
                   : b.has(Modifier::Ftz) ? toIntegerOf<f32, true>(b)
                                          : toIntegerOf<f32, false>(b);
    return b.destination() && b.source(0, isDouble) && b.left() == 0;
}

void narrow(const Op& op, WarpState& warp, u32 mask) {
    convertLanes<f64, f32>(op, warp, mask, [](f64 x) { return simt::canonical(f32(x)); });
}
void widen(const Op& op, WarpState& warp, u32 mask) {
    convertLanes<f32, f64>(op, warp, mask, [](f32 x) { return simt::quiet(f64(x)); });
}
// F2F.F32.F64: the result, then the operand.
bool buildFloatToFloat(OpBuilder& b) {
    const bool isDirected = b.has(Modifier::Rz) || b.has(Modifier::Rm) || b.has(Modifier::Rp);
    if (b.has(Modifier::F16) && b.has(Modifier::F64) && b.firstModifier() == Modifier::F16 && !isDirected) {
        b.op.execute = intoHalf<f64>;
        return b.destination() && b.source(0, true) && b.left() == 0;
    }
    if (!b.has(Modifier::F32) || !b.has(Modifier::F64) || isDirected) return false;
    const bool narrows = b.firstModifier() == Modifier::F32;
    b.op.execute = narrows ? narrow : widen;
    return b.destination() && b.source(0, narrows) && b.left() == 0;
}

template <class T, Rounding R> void roundWhole(const Op& op, WarpState& warp, u32 mask) {
    convertLanes<T, T>(op, warp, mask, [](T x) {
        const T whole = simt::integral<R>(x);
        if constexpr (sizeof(T) == 8)
            return simt::nanOf(whole, x);
        else
            return simt::canonical(whole);
    });
}
template <class T> Execute roundWholeOf(OpBuilder& b) {
    return b.has(Modifier::Trunc)   ? roundWhole<T, Rounding::Rzi>
           : b.has(Modifier::Floor) ? roundWhole<T, Rounding::Rmi>
           : b.has(Modifier::Ceil)  ? roundWhole<T, Rounding::Rpi>
                                    : roundWhole<T, Rounding::Rni>;
}
bool buildRoundWhole(OpBuilder& b) {
    if (b.has(Modifier::Ftz) || b.has(Modifier::Bf16)) return false;
    if (b.has(Modifier::F16)) {
        b.op.execute = b.has(Modifier::Trunc)   ? roundHalf<Rounding::Rzi>
                       : b.has(Modifier::Floor) ? roundHalf<Rounding::Rmi>
                       : b.has(Modifier::Ceil)  ? roundHalf<Rounding::Rpi>
                                                : roundHalf<Rounding::Rni>;
        return b.destination() && b.source(0) && b.left() == 0;
    }
    const bool isDouble = b.has(Modifier::F64);
    b.op.execute = isDouble ? roundWholeOf<f64>(b) : roundWholeOf<f32>(b);
    return b.destination() && b.source(0, isDouble) && b.left() == 0;
}

// Integers of 32 bits to single, to nearest.
bool buildToSingle(OpBuilder& b) {
    if (b.has(Modifier::Rz) || b.has(Modifier::Rm) || b.has(Modifier::Rp)) return false;
    b.op.execute = b.has(Modifier::S32) ? toFloat<s32, f32, Rounding::Rn> : toFloat<u32, f32, Rounding::Rn>;
    return b.destination() && b.source(0) && b.left() == 0;
}

constexpr std::array kRows = {
    ExecuteRow{Opcode::F2f, buildFloatToFloat}, ExecuteRow{Opcode::F2i, buildToInteger},
    ExecuteRow{Opcode::Frnd, buildRoundWhole},  ExecuteRow{Opcode::I2f, buildToFloat},
    ExecuteRow{Opcode::I2fp, buildToSingle},
};

}  // namespace

std::span<const ExecuteRow> conversionRows() { return kRows; }

}  // namespace lockstep::time
