// Rounding toward zero, down or up: the CPU's own modes, set around a loop over lanes. And rounding to odd,
// for results that are rounded twice.
#pragma once

#include <cfenv>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include "ptx/instruction.h"
#include "simt/opcodes/float_helpers.h"
#include "simt/opcodes/lane_loop.h"

namespace lockstep::simt {

using ptx::Rounding;

// While it lives, the CPU rounds as R says. Operands and results must be in memory, so that the compiler
// moves nothing across the switches; lane loops comply.
template <Rounding R> class RoundingMode {
public:
#if defined(__SSE2__)
    RoundingMode() : before_(_mm_getcsr()) { set((before_ & ~u32{_MM_ROUND_MASK}) | kMode); }
    ~RoundingMode() { set(before_); }

private:
    static constexpr u32 kMode = R == Rounding::Rz   ? _MM_ROUND_TOWARD_ZERO
                                 : R == Rounding::Rm ? _MM_ROUND_DOWN
                                 : R == Rounding::Rp ? _MM_ROUND_UP
                                                     : _MM_ROUND_NEAREST;
    static void set(u32 mode) {
        asm volatile("" ::: "memory");
        _mm_setcsr(mode);
        asm volatile("" ::: "memory");
    }
    u32 before_;
#else
    RoundingMode() {
        std::fesetround(R == Rounding::Rz   ? FE_TOWARDZERO
                        : R == Rounding::Rm ? FE_DOWNWARD
                        : R == Rounding::Rp ? FE_UPWARD
                                            : FE_TONEAREST);
    }
    ~RoundingMode() { std::fesetround(FE_TONEAREST); }
#endif
    RoundingMode(const RoundingMode&) = delete;
};

// The row of a function computed with rounding mode R.
template <Rounding R, auto F> constexpr OpcodeRow roundedOpcode(std::string_view form) {
    if constexpr (R == Rounding::Rn)
        return opcode<F>(form);
    else
        return opcodeDuring<F, RoundingMode<R>>(form);
}

// .ftz flushes a result that is subnormal after rounding to 24 bits with unbounded exponent, even if the
// result itself rounds up to the smallest normal number (measured on an H200). `scaled` is the result
// computed from operands times 2^64; if those overflow, the result is not small.
inline bool isTiny(f32 result, f32 scaled) {
    return std::fabs(result) <= 0x1p-126f && std::fabs(scaled) < 0x1p-62f;
}
inline constexpr f32 kTinyScale = 0x1p64f;

// a + b rounded to odd, so the last bit is sticky: rounding it again, to fewer bits, equals rounding the
// exact sum (S. Boldo, G. Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using
// rounding to odd", 2008). The error of a sum: D. Knuth, TAOCP 2, 4.2.2.
template <class T> [[gnu::always_inline]] inline T oddSum(T a, T b) {
    using Bits = Unsigned<sizeof(T)>;
    const T sum = a + b, virtualB = sum - a, rest = (a - (sum - virtualB)) + (b - virtualB);
    const bool away = (rest < 0) != (sum < 0);  // the sum is farther from zero than the exact value
    const Bits bits = std::bit_cast<Bits>(sum), odd = (away ? bits - 1 : bits) | 1;
    return sum - sum == 0 && rest != 0 ? std::bit_cast<T>(odd) : sum;
}

// A double to a single (rounded to odd) that rounds to fewer bits as the double would.
[[gnu::always_inline]] inline f32 narrowedToOdd(f64 x) {
    const f32 nearest = f32(x);
    const u32 bits = std::bit_cast<u32>(nearest);
    const bool away = std::fabs(f64(nearest)) > std::fabs(x), inexact = f64(nearest) != x;
    return x == x && inexact ? std::bit_cast<f32>((bits - u32(away)) | 1) : nearest;
}

}  // namespace lockstep::simt
