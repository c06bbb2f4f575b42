// cvt between floats: wider, narrower, to whole numbers, and the packed and 8-bit formats.
#include "simt/opcodes/conversion.h"
#include "simt/opcodes/lane_loop.h"
#include "simt/opcodes/opcode_names.h"
#include "simt/opcodes/opcode_table.h"

namespace lockstep::simt {
namespace {

// ---- Same type: rounding to whole numbers, flushing, saturation. Without any of them it is a move.
template <Rounding R, bool Ftz, bool Sat> inline f32 sameSingle(f32 a) {
    if constexpr (R == Rounding::None)
        return Ftz || Sat ? finished<Ftz, Sat>(flushedIf<Ftz>(a)) : a;
    else
        return finished<Ftz, Sat>(integral<R>(flushedIf<Ftz>(a)));
}
template <Rounding R, bool Sat> inline f64 sameDouble(f64 a) {
    if constexpr (R == Rounding::None)
        return Sat ? clamped01(a) : a;
    else
        return Sat ? clamped01(integral<R>(a)) : nanOf(integral<R>(a), a);
}
template <Rounding R, bool Sat, class T> inline T sameHalf(T a) {
    const f32 rounded = R == Rounding::None ? toFloat(a) : integral<R>(toFloat(a));
    const f32 result = Sat ? clamped01(canonical(rounded)) : canonical(rounded);
    if constexpr (std::is_same_v<T, f16>)
        return nearestHalf(result);
    else
        return nearestBrain(result);
}

// ---- To a wider type: exact. A NaN keeps its payload when widened to f64 and from bf16 (a move); from f16
// to f32 it becomes the canonical NaN.
template <bool Sat> inline f32 halfToSingle(f16 a) { return finished<false, Sat>(toFloat(a)); }
template <bool Ftz, bool Sat> inline f64 singleToDouble(f32 a) {
    const f64 wide = Ftz ? finished<true, false>(a) : a;
    return Sat ? clamped01(wide) : wide;
}
template <bool Sat> inline f64 halfToDouble(f16 a) { return singleToDouble<false, Sat>(toFloat(a)); }
inline f32 brainToSingle(bf16 a) { return toFloat(a); }
inline f64 brainToDouble(bf16 a) { return toFloat(a); }

// ---- To a narrower type.
template <class D> inline constexpr FloatFormat kNarrow = kSingleFormat;
template <> inline constexpr FloatFormat kNarrow<f16> = kHalfFormat;
template <> inline constexpr FloatFormat kNarrow<bf16> = kBrainFormat;

template <bool Ftz, bool Sat> inline f32 doubleToSingle(f64 a) {
    const f32 single = f32(a);
    const f32 result = Ftz && isTiny(single, f32(a * f64{kTinyScale})) ? std::copysign(0.0f, single) : single;
    return Sat ? clamped01(result) : result;
}

template <class D, Rounding R, bool Relu, bool SatFinite> inline D fromSingle(f32 a) {
    if (isNan(a)) return {0x7fff};
    if (Relu && std::signbit(a)) return {0};
    const u32 bits = u32(packed(kNarrow<D>, a, R, 15));
    constexpr u32 infinity = u32(infinityOf(kNarrow<D>));
    return {u16(SatFinite && (bits & 0x7fff) == infinity ? bits - 1 : bits)};
}
// A double NaN keeps its sign and the upper bits of its payload.
template <class D> inline D nanToHalf(f32 nan) {
    const u32 bits = std::bit_cast<u32>(nan), dropped = 23 - u32(kNarrow<D>.fractionBits);
    return {u16((bits >> 16 & 0x8000) | infinityOf(kNarrow<D>) | (bits & 0x7fffff) >> dropped)};
}
template <class D, Rounding R, bool Sat, class S> inline D toHalf(S a) {
    f32 single;
    if constexpr (std::is_same_v<S, f64>) {
        single = narrowedToOdd(a);
        if (!Sat && isNan(single)) return nanToHalf<D>(single);
    } else
        single = toFloat(a);
    return fromSingle<D, R, false, false>(Sat ? clamped01(single) : single);
}

// Two at once: the first source goes into the upper half.
template <class D> struct ElementOf;
template <> struct ElementOf<f16x2> {
    using Type = f16;
};
template <> struct ElementOf<bf16x2> {
    using Type = bf16;
};
template <class D, Rounding R, bool Relu, bool SatFinite> inline D pairFromSingles(f32 a, f32 b) {
    using Element = typename ElementOf<D>::Type;
    const u32 upper = fromSingle<Element, R, Relu, SatFinite>(a).bits,
              lower = fromSingle<Element, R, Relu, SatFinite>(b).bits;
    return {upper << 16 | lower};
}

// tf32: a single whose fraction has 10 bits.
template <Rounding R, bool Relu, bool SatFinite> inline u32 toTensorFloat(f32 a) {
    if constexpr (R == Rounding::Rna) {
        if (isNan(a))
            return (std::bit_cast<u32>(a) & 0xffffe000) -
                   (SatFinite ? 0x2000 : 0);  // treated like a number: measured on an H200
    }
    if (isNan(a)) return kNan32 & 0xffffe000;
    if (Relu && std::signbit(a)) return 0;
    const u32 bits = u32(packed(kTensorFormat, a, R, 18));
    constexpr u32 infinity = u32(infinityOf(kTensorFormat));
    return (SatFinite && (bits & 0x3ffff) == infinity ? bits - 1 : bits) << 13;
}

// 8 bits: e4m3 has no infinity, its largest magnitude is 0x7e (448); both formats saturate to the largest
// number.
template <class D> inline constexpr FloatFormat kTiny = kE5M2Format;
template <> inline constexpr FloatFormat kTiny<e4m3> = kE4M3Format;
template <class D> inline constexpr u32 kTinyGreatest = std::is_same_v<D, e4m3> ? 0x7e : 0x7b;
template <class D, bool Relu> inline u8 toTiny(f32 a) {
    if (isNan(a)) return 0x7f;
    if (Relu && std::signbit(a)) return 0;
    const u32 sign = std::bit_cast<u32>(a) >> 24 & 0x80,
              magnitude = u32(packed(kTiny<D>, std::fabs(a), Rounding::Rn, 31));
    return u8(sign | (magnitude > kTinyGreatest<D> ? kTinyGreatest<D> : magnitude));
}
template <class D, bool Relu> inline u16 tinyFromSingles(f32 a, f32 b) {
    return u16(toTiny<D, Relu>(a) << 8 | toTiny<D, Relu>(b));
}
template <class D, bool Relu> inline u16 tinyFromHalves(f16x2 a) {
    return tinyFromSingles<D, Relu>(toFloat(f16{u16(a.bits >> 16)}), toFloat(f16{u16(a.bits)}));
}
template <class S, bool Relu> inline f16x2 halvesFromTiny(u16 a) {
    const u32 upper = fromSingle<f16, Rounding::Rn, Relu, false>(toFloat(S{u8(a >> 8)})).bits;
    return {upper << 16 | fromSingle<f16, Rounding::Rn, Relu, false>(toFloat(S{u8(a)})).bits};
}

// ---- Rows.
template <Text name, Rounding R>
constexpr std::array kSameType = {
    opcode<sameSingle<R, false, false>>(form<"cvt", name, ".f32.f32">),
    opcode<sameSingle<R, false, true>>(form<"cvt", name, ".sat.f32.f32">),
    opcode<sameSingle<R, true, false>>(form<"cvt", name, ".ftz.f32.f32">),
    opcode<sameSingle<R, true, true>>(form<"cvt", name, ".ftz.sat.f32.f32">),
    opcode<sameDouble<R, false>>(form<"cvt", name, ".f64.f64">),
    opcode<sameDouble<R, true>>(form<"cvt", name, ".sat.f64.f64">),
    opcode<sameHalf<R, false, f16>>(form<"cvt", name, ".f16.f16">),
    opcode<sameHalf<R, true, f16>>(form<"cvt", name, ".sat.f16.f16">),
    opcode<sameHalf<R, false, bf16>>(form<"cvt", name, ".bf16.bf16">),
};
// .ftz has no effect with a half, in either direction: subnormal halves are normal singles.
constexpr std::array kWidened = {
    opcode<halfToSingle<false>>("cvt.f32.f16"),
    opcode<halfToSingle<true>>("cvt.sat.f32.f16"),
    opcode<halfToSingle<false>>("cvt.ftz.f32.f16"),
    opcode<halfToSingle<true>>("cvt.ftz.sat.f32.f16"),
    opcode<halfToDouble<false>>("cvt.f64.f16"),
    opcode<halfToDouble<true>>("cvt.sat.f64.f16"),
    opcode<singleToDouble<false, false>>("cvt.f64.f32"),
    opcode<singleToDouble<false, true>>("cvt.sat.f64.f32"),
    opcode<singleToDouble<true, false>>("cvt.ftz.f64.f32"),
    opcode<singleToDouble<true, true>>("cvt.ftz.sat.f64.f32"),
    opcode<brainToSingle>("cvt.f32.bf16"),
    opcode<brainToDouble>("cvt.f64.bf16"),
};

template <Text name, Rounding R>
constexpr std::array kDoubleToSingle = {
    roundedOpcode<R, doubleToSingle<false, false>>(form<"cvt", name, ".f32.f64">),
    roundedOpcode<R, doubleToSingle<false, true>>(form<"cvt", name, ".sat.f32.f64">),
    roundedOpcode<R, doubleToSingle<true, false>>(form<"cvt", name, ".ftz.f32.f64">),
    roundedOpcode<R, doubleToSingle<true, true>>(form<"cvt", name, ".ftz.sat.f32.f64">),
};
// Single to half, to nearest, is branch-free, so it vectorizes over lanes.
template <Text name, Rounding R, bool Ftz, class D, class S>
constexpr std::array kToHalf = {
    R == Rounding::Rn && std::is_same_v<S, f32>
        ? opcode<nearestHalf>(form<"cvt", name, kIf<Ftz, ".ftz">, ".f16.f32">)
        : scalarOpcode<toHalf<D, R, false, S>>(
              form<"cvt", name, kIf<Ftz, ".ftz">, ".", kTypeName<D>, ".", kTypeName<S>>),
    scalarOpcode<toHalf<D, R, true, S>>(
        form<"cvt", name, kIf<Ftz, ".ftz">, ".sat.", kTypeName<D>, ".", kTypeName<S>>),
};
template <Text name, Rounding R>
constexpr std::array kBrainAndHalf = {
    scalarOpcode<toHalf<f16, R, false, bf16>>(form<"cvt", name, ".f16.bf16">),
    scalarOpcode<toHalf<bf16, R, false, f16>>(form<"cvt", name, ".bf16.f16">),
    R == Rounding::Rn ? opcode<nearestBrain>(form<"cvt", name, ".bf16.f32">)
                      : scalarOpcode<toHalf<bf16, R, false, f32>>(form<"cvt", name, ".bf16.f32">),
    scalarOpcode<toHalf<bf16, R, false, f64>>(form<"cvt", name, ".bf16.f64">),
};
template <Text name, Rounding R>
constexpr auto kToHalves =
    concat(kDoubleToSingle<name, R>, kToHalf<name, R, false, f16, f32>, kToHalf<name, R, true, f16, f32>,
           kToHalf<name, R, false, f16, f64>, kBrainAndHalf<name, R>);

template <Text name, Rounding R, bool Relu, bool SatFinite>
constexpr std::array kPacking = {
    scalarOpcode<pairFromSingles<f16x2, R, Relu, SatFinite>>(
        form<"cvt", name, kIf<Relu, ".relu">, kIf<SatFinite, ".satfinite">, ".f16x2.f32">),
    scalarOpcode<pairFromSingles<bf16x2, R, Relu, SatFinite>>(
        form<"cvt", name, kIf<Relu, ".relu">, kIf<SatFinite, ".satfinite">, ".bf16x2.f32">),
    scalarOpcode<toTensorFloat<R, Relu, SatFinite>>(
        form<"cvt", name, kIf<Relu, ".relu">, kIf<SatFinite, ".satfinite">, ".tf32.f32">),
};
template <Text name, Rounding R, bool Relu, bool SatFinite>
constexpr std::array kRelu = {
    scalarOpcode<fromSingle<f16, R, Relu, SatFinite>>(
        form<"cvt", name, kIf<Relu, ".relu">, kIf<SatFinite, ".satfinite">, ".f16.f32">),
    scalarOpcode<fromSingle<bf16, R, Relu, SatFinite>>(
        form<"cvt", name, kIf<Relu, ".relu">, kIf<SatFinite, ".satfinite">, ".bf16.f32">),
};
template <Text name, Rounding R>
constexpr auto kPacked =
    concat(kPacking<name, R, false, false>, kPacking<name, R, false, true>, kPacking<name, R, true, false>,
           kPacking<name, R, true, true>, kRelu<name, R, false, true>, kRelu<name, R, true, false>,
           kRelu<name, R, true, true>);

template <class T, Text name>
constexpr std::array kTinyRows = {
    scalarOpcode<tinyFromSingles<T, false>>(form<"cvt.rn.satfinite.", name, ".f32">),
    scalarOpcode<tinyFromSingles<T, true>>(form<"cvt.rn.satfinite.relu.", name, ".f32">),
    scalarOpcode<tinyFromHalves<T, false>>(form<"cvt.rn.satfinite.", name, ".f16x2">),
    scalarOpcode<tinyFromHalves<T, true>>(form<"cvt.rn.satfinite.relu.", name, ".f16x2">),
    scalarOpcode<halvesFromTiny<T, false>>(form<"cvt.rn.f16x2.", name>),
    scalarOpcode<halvesFromTiny<T, true>>(form<"cvt.rn.relu.f16x2.", name>),
};
constexpr std::array kTensorFloatAway = {
    scalarOpcode<toTensorFloat<Rounding::Rna, false, false>>("cvt.rna.tf32.f32"),
    scalarOpcode<toTensorFloat<Rounding::Rna, false, true>>("cvt.rna.satfinite.tf32.f32"),
};

constexpr auto kFloatConversionOpcodes =
    concat(kSameType<"", Rounding::None>, kSameType<".rni", Rounding::Rni>, kSameType<".rzi", Rounding::Rzi>,
           kSameType<".rmi", Rounding::Rmi>, kSameType<".rpi", Rounding::Rpi>, kWidened,
           kToHalves<".rn", Rounding::Rn>, kToHalves<".rz", Rounding::Rz>, kToHalves<".rm", Rounding::Rm>,
           kToHalves<".rp", Rounding::Rp>, kPacked<".rn", Rounding::Rn>, kPacked<".rz", Rounding::Rz>,
           kTensorFloatAway, kTinyRows<e4m3, "e4m3x2">, kTinyRows<e5m2, "e5m2x2">);

}  // namespace

std::span<const OpcodeRow> floatConversionOpcodes() { return kFloatConversionOpcodes; }

}  // namespace lockstep::simt
