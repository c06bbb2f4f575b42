// Fast approximations: ex2, lg2, sin, cos, tanh, and .approx and .full of rcp, rsqrt, sqrt and div.
#include "simt/lane_loop.h"
#include "simt/opcode_names.h"
#include "simt/opcode_table.h"
#include "simt/small_floats.h"

namespace lockstep::simt {
namespace {

enum class Function : u8 { Reciprocal, ReciprocalRoot, Root, PowerOfTwo, Logarithm, Sine, Cosine, Tangent };

// The function of the number, to the precision of a double.
template <Function function> inline f64 precise(f64 x) {
    switch (function) {
        case Function::Reciprocal: return 1 / x;
        case Function::ReciprocalRoot: return 1 / std::sqrt(x);
        case Function::Root: return std::sqrt(x);
        case Function::PowerOfTwo: return std::exp2(x);
        case Function::Logarithm: return std::log2(x);
        case Function::Sine: return std::sin(x);
        case Function::Cosine: return std::cos(x);
        case Function::Tangent: return std::tanh(x);
    }
    return x;
}

template <Function function, bool Ftz> inline f32 approximate(f32 a) { return finished<Ftz, false>(f32(precise<function>(flushedIf<Ftz>(a)))); }
template <Function function, class T> inline T approximateHalf(T a) {
    const f64 value = precise<function>(toFloat(a));
    if constexpr (std::is_same_v<T, f16>) return nearestHalf(f32(value));
    else return nearestBrain(f32(value));
}
template <Function function, class T, class E> inline T approximatePair(T a) {
    return {u32(approximateHalf<function>(E{u16(a.bits >> 16)}).bits) << 16 | approximateHalf<function>(E{u16(a.bits)}).bits};
}

// div.approx is a * (1/b); beyond 2^126 the reciprocal is flushed, as the PTX ISA says.
template <bool Ftz> inline f32 divApproximate(f32 a, f32 b) {
    const f32 x = flushedIf<Ftz>(a), y = flushedIf<Ftz>(b);
    const f32 magnitude = std::fabs(y);
    if (magnitude > 0x1p126f && magnitude < 0x1p128) return finished<Ftz, false>(x * std::copysign(0.0f, y));
    return finished<Ftz, false>(f32(f64(x) / f64(y)));
}
template <bool Ftz> inline f32 divFull(f32 a, f32 b) { return finished<Ftz, false>(flushedIf<Ftz>(a) / flushedIf<Ftz>(b)); }

// rcp and rsqrt of doubles look at the upper word only and leave the lower one zero.
inline f64 upperWord(f64 x) { return std::bit_cast<f64>(std::bit_cast<u64>(x) & 0xffffffff00000000); }
inline f64 flushedDouble(f64 x) {
    const u64 bits = std::bit_cast<u64>(x);
    return bits & 0x7ff0000000000000 ? x : std::bit_cast<f64>(bits & 0x8000000000000000);
}
template <Function function> inline f64 upperApproximation(f64 a) {
    return nanOf(flushedDouble(upperWord(precise<function>(flushedDouble(upperWord(a))))));
}
inline f64 rsqrtDouble(f64 a) { return nanOf(precise<Function::ReciprocalRoot>(a), a); }

template <Function function, Text name>
constexpr std::array kSingles = {
    scalarOpcode<approximate<function, false>>(form<name, ".approx.f32">),
    scalarOpcode<approximate<function, true>>(form<name, ".approx.ftz.f32">),
};
constexpr auto kApproximateOpcodes = concat(
    kSingles<Function::Reciprocal, "rcp">, kSingles<Function::ReciprocalRoot, "rsqrt">, kSingles<Function::Root, "sqrt">,
    kSingles<Function::PowerOfTwo, "ex2">, kSingles<Function::Logarithm, "lg2">, kSingles<Function::Sine, "sin">, kSingles<Function::Cosine, "cos">,
    std::array{
        scalarOpcode<approximate<Function::Tangent, false>>("tanh.approx.f32"),
        opcode<divApproximate<false>>("div.approx.f32"),
        opcode<divApproximate<true>>("div.approx.ftz.f32"),
        opcode<divFull<false>>("div.full.f32"),
        opcode<divFull<true>>("div.full.ftz.f32"),
        scalarOpcode<upperApproximation<Function::Reciprocal>>("rcp.approx.ftz.f64"),
        scalarOpcode<upperApproximation<Function::ReciprocalRoot>>("rsqrt.approx.ftz.f64"),
        scalarOpcode<rsqrtDouble>("rsqrt.approx.f64"),
        scalarOpcode<approximateHalf<Function::PowerOfTwo, f16>>("ex2.approx.f16"),
        scalarOpcode<approximatePair<Function::PowerOfTwo, f16x2, f16>>("ex2.approx.f16x2"),
        scalarOpcode<approximateHalf<Function::PowerOfTwo, bf16>>("ex2.approx.ftz.bf16"),
        scalarOpcode<approximatePair<Function::PowerOfTwo, bf16x2, bf16>>("ex2.approx.ftz.bf16x2"),
        scalarOpcode<approximateHalf<Function::Tangent, f16>>("tanh.approx.f16"),
        scalarOpcode<approximatePair<Function::Tangent, f16x2, f16>>("tanh.approx.f16x2"),
        scalarOpcode<approximateHalf<Function::Tangent, bf16>>("tanh.approx.bf16"),
        scalarOpcode<approximatePair<Function::Tangent, bf16x2, bf16>>("tanh.approx.bf16x2"),
    });

}  // namespace

std::span<const OpcodeRow> approximateOpcodes() { return kApproximateOpcodes; }

}  // namespace lockstep::simt
