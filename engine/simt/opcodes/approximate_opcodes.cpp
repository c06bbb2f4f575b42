// Fast approximations: ex2, lg2, sin, cos, tanh, and .approx and .full of rcp, rsqrt, sqrt and div. Each is
// the special function unit's result plus the code that ptxas puts around it (read from its machine code for
// sm_90), so that results are bit-exact.
#include "simt/opcodes/directed_rounding.h"
#include "simt/opcodes/lane_loop.h"
#include "simt/opcodes/opcode_names.h"
#include "simt/opcodes/opcode_table.h"
#include "simt/opcodes/small_floats.h"
#include "simt/opcodes/special_functions.h"

namespace lockstep::simt {
namespace {

template <bool Ftz> inline f32 product(f32 a, f32 b) {
    const f32 x = flushedIf<Ftz>(a), y = flushedIf<Ftz>(b), result = x * y;
    return finished<Ftz, false>(Ftz && isTiny(result, x * kTinyScale * y) ? std::copysign(0.0f, result)
                                                                          : result);
}
inline bool isSubnormal(f32 x) { return std::fabs(x) < 0x1p-126f; }

// The unit flushes subnormal numbers; without .ftz, arguments are scaled into range and results back.
inline f32 rcp(f32 a) {
    const f32 scale = std::fabs(a) > 0x1p126f ? 0.25f : isSubnormal(a) ? 0x1p24f : 1.0f;
    return product<false>(special::reciprocal(product<false>(a, scale)), scale);
}
inline f32 rsqrt(f32 a) {
    return isSubnormal(a) ? special::reciprocalRoot(a * 0x1p24f) * 0x1p12f : special::reciprocalRoot(a);
}
inline f32 sqrt(f32 a) { return isSubnormal(a) ? special::root(a * 0x1p24f) * 0x1p-12f : special::root(a); }
inline f32 lg2(f32 a) {
    return isSubnormal(a) ? special::logarithm(a * 0x1p24f) + -24.0f : special::logarithm(a);
}
inline f32 ex2(f32 a) {
    if (!(a < -126.0f)) return special::powerOfTwo(a);
    const f32 half = special::powerOfTwo(a * 0.5f);
    return half * half;
}

inline f32 divApproximate(f32 a, f32 b) {
    const f32 scale = isSubnormal(b) ? 0x1p24f : 1.0f;
    return product<false>(special::reciprocal(product<false>(b, scale)), product<false>(a, scale));
}
inline f32 divApproximateFtz(f32 a, f32 b) { return product<true>(a, special::reciprocal(b)); }
template <bool Ftz> inline f32 divFull(f32 a, f32 b) {
    const f32 scale = std::fabs(b) > 0x1p126f ? 0.25f : !Ftz && isSubnormal(b) ? 0x1p24f : 1.0f;
    if (scale == 1.0f) return product<Ftz>(special::reciprocal(b), a);
    return product<Ftz>(special::reciprocal(product<Ftz>(b, scale)), product<Ftz>(a, scale));
}

// The unit's 20 bits and one third-order step.
inline f64 refinedReciprocalRoot(f64 x) {
    const f64 start = special::reciprocalRootUpper(x);
    const f64 error = std::fma(x, -(start * start), 1.0);
    return std::fma(std::fma(error, 0.375, 0.5), start * error, start);
}
inline f64 rsqrtDouble(f64 a) {
    const u64 bits = std::bit_cast<u64>(a);
    if (a != a) return quiet(a);
    if (a == 0) return std::bit_cast<f64>((bits & 0x8000000000000000) | 0x7ff0000000000000);
    if (bits >> 63) return std::bit_cast<f64>(kNan64);
    if (bits == 0x7ff0000000000000) return 0;
    return bits >> 52 ? refinedReciprocalRoot(a) : refinedReciprocalRoot(a * 0x1p54) * 0x1p27;
}

// 16-bit arguments use the same unit; the result is truncated to 16 bits.
template <auto function, class T> inline T ofHalf(T a) {
    const f32 value = function(toFloat(a));
    if (value != value) return {0x7fff};
    if (std::is_same_v<T, f16> && value >= 0x1p16f) return {0x7c00};
    return {u16(packed(std::is_same_v<T, f16> ? kHalfFormat : kBrainFormat, value, Rounding::Rz, 15))};
}
template <auto function, class T, class E> inline T ofPair(T a) {
    return {u32(ofHalf<function>(E{u16(a.bits >> 16)}).bits) << 16 | ofHalf<function>(E{u16(a.bits)}).bits};
}

constexpr std::array kApproximateOpcodes = {
    scalarOpcode<rcp>("rcp.approx.f32"),
    scalarOpcode<special::reciprocal>("rcp.approx.ftz.f32"),
    scalarOpcode<rsqrt>("rsqrt.approx.f32"),
    scalarOpcode<special::reciprocalRoot>("rsqrt.approx.ftz.f32"),
    scalarOpcode<sqrt>("sqrt.approx.f32"),
    scalarOpcode<special::root>("sqrt.approx.ftz.f32"),
    scalarOpcode<ex2>("ex2.approx.f32"),
    scalarOpcode<special::powerOfTwo>("ex2.approx.ftz.f32"),
    scalarOpcode<lg2>("lg2.approx.f32"),
    scalarOpcode<special::logarithm>("lg2.approx.ftz.f32"),
    scalarOpcode<special::sine>("sin.approx.f32"),
    scalarOpcode<special::sine>("sin.approx.ftz.f32"),
    scalarOpcode<special::cosine>("cos.approx.f32"),
    scalarOpcode<special::cosine>("cos.approx.ftz.f32"),
    scalarOpcode<special::tangent>("tanh.approx.f32"),
    scalarOpcode<divApproximate>("div.approx.f32"),
    scalarOpcode<divApproximateFtz>("div.approx.ftz.f32"),
    scalarOpcode<divFull<false>>("div.full.f32"),
    scalarOpcode<divFull<true>>("div.full.ftz.f32"),
    scalarOpcode<special::reciprocalUpper>("rcp.approx.ftz.f64"),
    scalarOpcode<special::reciprocalRootUpper>("rsqrt.approx.ftz.f64"),
    scalarOpcode<rsqrtDouble>("rsqrt.approx.f64"),
    scalarOpcode<ofHalf<special::powerOfTwo, f16>>("ex2.approx.f16"),
    scalarOpcode<ofPair<special::powerOfTwo, f16x2, f16>>("ex2.approx.f16x2"),
    scalarOpcode<ofHalf<special::powerOfTwo, bf16>>("ex2.approx.ftz.bf16"),
    scalarOpcode<ofPair<special::powerOfTwo, bf16x2, bf16>>("ex2.approx.ftz.bf16x2"),
    scalarOpcode<ofHalf<special::tangent, f16>>("tanh.approx.f16"),
    scalarOpcode<ofPair<special::tangent, f16x2, f16>>("tanh.approx.f16x2"),
    scalarOpcode<ofHalf<special::tangent, bf16>>("tanh.approx.bf16"),
    scalarOpcode<ofPair<special::tangent, bf16x2, bf16>>("tanh.approx.bf16x2"),
};

}  // namespace

std::span<const OpcodeRow> approximateOpcodes() { return kApproximateOpcodes; }

}  // namespace lockstep::simt
