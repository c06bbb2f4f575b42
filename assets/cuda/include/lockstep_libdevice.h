// What clang's headers take from NVIDIA's libdevice, as far as one or a few instructions of the GPU do it.
// The rest stays a call, which the emulator computes: sin, exp, pow and the like in the precision of the
// host's C library.
#pragma once

#define LOCKSTEP_NV extern "C" inline __device__ __attribute__((always_inline, nodebug))

// One instruction with one, two, three operands.
#define LOCKSTEP_1(name, R, r, A, a, text)      \
    LOCKSTEP_NV R __nv_##name(A x) {            \
        R d;                                    \
        asm(text " %0, %1;" : "=" r(d) : a(x)); \
        return d;                               \
    }
#define LOCKSTEP_2(name, R, r, A, a, text)                \
    LOCKSTEP_NV R __nv_##name(A x, A y) {                 \
        R d;                                              \
        asm(text " %0, %1, %2;" : "=" r(d) : a(x), a(y)); \
        return d;                                         \
    }
#define LOCKSTEP_3(name, R, r, A, a, text)                          \
    LOCKSTEP_NV R __nv_##name(A x, A y, A z) {                      \
        R d;                                                        \
        asm(text " %0, %1, %2, %3;" : "=" r(d) : a(x), a(y), a(z)); \
        return d;                                                   \
    }

LOCKSTEP_NV int __nv_abs(int x) { return x < 0 ? -x : x; }
LOCKSTEP_NV long long __nv_llabs(long long x) { return x < 0 ? -x : x; }
LOCKSTEP_NV int __nv_max(int x, int y) { return x > y ? x : y; }
LOCKSTEP_NV int __nv_min(int x, int y) { return x < y ? x : y; }
LOCKSTEP_NV unsigned int __nv_umax(unsigned int x, unsigned int y) { return x > y ? x : y; }
LOCKSTEP_NV unsigned int __nv_umin(unsigned int x, unsigned int y) { return x < y ? x : y; }
LOCKSTEP_NV long long __nv_llmax(long long x, long long y) { return x > y ? x : y; }
LOCKSTEP_NV long long __nv_llmin(long long x, long long y) { return x < y ? x : y; }
LOCKSTEP_NV unsigned long long __nv_ullmax(unsigned long long x, unsigned long long y) {
    return x > y ? x : y;
}
LOCKSTEP_NV unsigned long long __nv_ullmin(unsigned long long x, unsigned long long y) {
    return x < y ? x : y;
}

LOCKSTEP_NV float __nv_fabsf(float x) { return __builtin_fabsf(x); }
LOCKSTEP_NV double __nv_fabs(double x) { return __builtin_fabs(x); }
LOCKSTEP_2(fmaxf, float, "f", float, "f", "max.f32")
LOCKSTEP_2(fminf, float, "f", float, "f", "min.f32")
LOCKSTEP_2(fmax, double, "d", double, "d", "max.f64")
LOCKSTEP_2(fmin, double, "d", double, "d", "min.f64")
LOCKSTEP_3(fmaf, float, "f", float, "f", "fma.rn.f32")
LOCKSTEP_3(fma, double, "d", double, "d", "fma.rn.f64")
LOCKSTEP_1(sqrtf, float, "f", float, "f", "sqrt.rn.f32")
LOCKSTEP_1(sqrt, double, "d", double, "d", "sqrt.rn.f64")
LOCKSTEP_1(rsqrtf, float, "f", float, "f", "rsqrt.approx.f32")
LOCKSTEP_1(floorf, float, "f", float, "f", "cvt.rmi.f32.f32")
LOCKSTEP_1(floor, double, "d", double, "d", "cvt.rmi.f64.f64")
LOCKSTEP_1(ceilf, float, "f", float, "f", "cvt.rpi.f32.f32")
LOCKSTEP_1(ceil, double, "d", double, "d", "cvt.rpi.f64.f64")
LOCKSTEP_1(truncf, float, "f", float, "f", "cvt.rzi.f32.f32")
LOCKSTEP_1(trunc, double, "d", double, "d", "cvt.rzi.f64.f64")
LOCKSTEP_1(rintf, float, "f", float, "f", "cvt.rni.f32.f32")
LOCKSTEP_1(rint, double, "d", double, "d", "cvt.rni.f64.f64")
LOCKSTEP_1(llrintf, long long, "l", float, "f", "cvt.rni.s64.f32")
LOCKSTEP_1(llrint, long long, "l", double, "d", "cvt.rni.s64.f64")
LOCKSTEP_NV float __nv_copysignf(float x, float y) { return __builtin_copysignf(x, y); }
LOCKSTEP_NV double __nv_copysign(double x, double y) { return __builtin_copysign(x, y); }
LOCKSTEP_1(saturatef, float, "f", float, "f", "cvt.sat.f32.f32")

// The fast forms.
LOCKSTEP_1(fast_sinf, float, "f", float, "f", "sin.approx.f32")
LOCKSTEP_1(fast_cosf, float, "f", float, "f", "cos.approx.f32")
LOCKSTEP_1(fast_log2f, float, "f", float, "f", "lg2.approx.f32")
LOCKSTEP_2(fast_fdividef, float, "f", float, "f", "div.approx.f32")
LOCKSTEP_1(lockstep_ex2, float, "f", float, "f", "ex2.approx.f32")
LOCKSTEP_NV float __nv_fast_logf(float x) { return __nv_fast_log2f(x) * 0.6931471805599453f; }
LOCKSTEP_NV float __nv_fast_log10f(float x) { return __nv_fast_log2f(x) * 0.3010299956639812f; }
LOCKSTEP_NV float __nv_fast_expf(float x) { return __nv_lockstep_ex2(x * 1.4426950408889634f); }
LOCKSTEP_NV float __nv_fast_exp10f(float x) { return __nv_lockstep_ex2(x * 3.3219280948873623f); }
LOCKSTEP_NV float __nv_fast_powf(float x, float y) { return __nv_lockstep_ex2(y * __nv_fast_log2f(x)); }
LOCKSTEP_NV float __nv_fast_tanf(float x) { return __nv_fast_fdividef(__nv_fast_sinf(x), __nv_fast_cosf(x)); }
LOCKSTEP_NV void __nv_fast_sincosf(float x, float* sine, float* cosine) {
    *sine = __nv_fast_sinf(x);
    *cosine = __nv_fast_cosf(x);
}

// Arithmetic with a rounding of its own.
#define LOCKSTEP_ROUNDING(suffix, ptx)                                                           \
    LOCKSTEP_2(fadd_##suffix, float, "f", float, "f", "add." ptx ".f32")                         \
    LOCKSTEP_2(fsub_##suffix, float, "f", float, "f", "sub." ptx ".f32")                         \
    LOCKSTEP_2(fmul_##suffix, float, "f", float, "f", "mul." ptx ".f32")                         \
    LOCKSTEP_2(fdiv_##suffix, float, "f", float, "f", "div." ptx ".f32")                         \
    LOCKSTEP_1(frcp_##suffix, float, "f", float, "f", "rcp." ptx ".f32")                         \
    LOCKSTEP_1(fsqrt_##suffix, float, "f", float, "f", "sqrt." ptx ".f32")                       \
    LOCKSTEP_3(fmaf_##suffix, float, "f", float, "f", "fma." ptx ".f32")                         \
    LOCKSTEP_2(dadd_##suffix, double, "d", double, "d", "add." ptx ".f64")                       \
    LOCKSTEP_2(dsub_##suffix, double, "d", double, "d", "sub." ptx ".f64")                       \
    LOCKSTEP_2(dmul_##suffix, double, "d", double, "d", "mul." ptx ".f64")                       \
    LOCKSTEP_2(ddiv_##suffix, double, "d", double, "d", "div." ptx ".f64")                       \
    LOCKSTEP_1(drcp_##suffix, double, "d", double, "d", "rcp." ptx ".f64")                       \
    LOCKSTEP_1(dsqrt_##suffix, double, "d", double, "d", "sqrt." ptx ".f64")                     \
    LOCKSTEP_3(fma_##suffix, double, "d", double, "d", "fma." ptx ".f64")                        \
    LOCKSTEP_1(int2float_##suffix, float, "f", int, "r", "cvt." ptx ".f32.s32")                  \
    LOCKSTEP_1(uint2float_##suffix, float, "f", unsigned int, "r", "cvt." ptx ".f32.u32")        \
    LOCKSTEP_1(ll2float_##suffix, float, "f", long long, "l", "cvt." ptx ".f32.s64")             \
    LOCKSTEP_1(ull2float_##suffix, float, "f", unsigned long long, "l", "cvt." ptx ".f32.u64")   \
    LOCKSTEP_1(ll2double_##suffix, double, "d", long long, "l", "cvt." ptx ".f64.s64")           \
    LOCKSTEP_1(ull2double_##suffix, double, "d", unsigned long long, "l", "cvt." ptx ".f64.u64") \
    LOCKSTEP_1(double2float_##suffix, float, "f", double, "d", "cvt." ptx ".f32.f64")            \
    LOCKSTEP_1(float2int_##suffix, int, "r", float, "f", "cvt." ptx "i.s32.f32")                 \
    LOCKSTEP_1(float2uint_##suffix, unsigned int, "r", float, "f", "cvt." ptx "i.u32.f32")       \
    LOCKSTEP_1(float2ll_##suffix, long long, "l", float, "f", "cvt." ptx "i.s64.f32")            \
    LOCKSTEP_1(float2ull_##suffix, unsigned long long, "l", float, "f", "cvt." ptx "i.u64.f32")  \
    LOCKSTEP_1(double2int_##suffix, int, "r", double, "d", "cvt." ptx "i.s32.f64")               \
    LOCKSTEP_1(double2uint_##suffix, unsigned int, "r", double, "d", "cvt." ptx "i.u32.f64")     \
    LOCKSTEP_1(double2ll_##suffix, long long, "l", double, "d", "cvt." ptx "i.s64.f64")          \
    LOCKSTEP_1(double2ull_##suffix, unsigned long long, "l", double, "d", "cvt." ptx "i.u64.f64")
LOCKSTEP_ROUNDING(rn, "rn")
LOCKSTEP_ROUNDING(rz, "rz")
LOCKSTEP_ROUNDING(rd, "rm")
LOCKSTEP_ROUNDING(ru, "rp")
#undef LOCKSTEP_ROUNDING
LOCKSTEP_1(int2double_rn, double, "d", int, "r", "cvt.rn.f64.s32")
LOCKSTEP_1(uint2double_rn, double, "d", unsigned int, "r", "cvt.rn.f64.u32")
LOCKSTEP_1(frsqrt_rn, float, "f", float, "f", "rsqrt.approx.f32")

// Bits.
LOCKSTEP_NV int __nv_float_as_int(float x) { return __builtin_bit_cast(int, x); }
LOCKSTEP_NV unsigned int __nv_float_as_uint(float x) { return __builtin_bit_cast(unsigned int, x); }
LOCKSTEP_NV float __nv_int_as_float(int x) { return __builtin_bit_cast(float, x); }
LOCKSTEP_NV float __nv_uint_as_float(unsigned int x) { return __builtin_bit_cast(float, x); }
LOCKSTEP_NV unsigned long long __nv_double_as_longlong(double x) {
    return __builtin_bit_cast(unsigned long long, x);
}
LOCKSTEP_NV double __nv_longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
LOCKSTEP_NV int __nv_double2hiint(double x) { return int(__builtin_bit_cast(long long, x) >> 32); }
LOCKSTEP_NV int __nv_double2loint(double x) { return int(__builtin_bit_cast(long long, x)); }
LOCKSTEP_NV double __nv_hiloint2double(int high, int low) {
    return __builtin_bit_cast(double, (long long)(high) << 32 | (unsigned int)(low));
}
LOCKSTEP_NV int __nv_clz(int x) { return x ? __builtin_clz((unsigned int)(x)) : 32; }
LOCKSTEP_NV int __nv_clzll(long long x) { return x ? __builtin_clzll((unsigned long long)(x)) : 64; }
LOCKSTEP_NV int __nv_popc(int x) { return __builtin_popcount((unsigned int)(x)); }
LOCKSTEP_NV int __nv_popcll(long long x) { return __builtin_popcountll((unsigned long long)(x)); }
LOCKSTEP_NV int __nv_ffs(int x) { return x ? __builtin_ctz((unsigned int)(x)) + 1 : 0; }
LOCKSTEP_NV int __nv_ffsll(long long x) { return x ? __builtin_ctzll((unsigned long long)(x)) + 1 : 0; }
LOCKSTEP_1(brev, unsigned int, "r", unsigned int, "r", "brev.b32")
LOCKSTEP_1(brevll, unsigned long long, "l", unsigned long long, "l", "brev.b64")
LOCKSTEP_3(byte_perm, unsigned int, "r", unsigned int, "r", "prmt.b32")
LOCKSTEP_2(mulhi, int, "r", int, "r", "mul.hi.s32")
LOCKSTEP_2(umulhi, unsigned int, "r", unsigned int, "r", "mul.hi.u32")
LOCKSTEP_2(mul64hi, long long, "l", long long, "l", "mul.hi.s64")
LOCKSTEP_2(umul64hi, unsigned long long, "l", unsigned long long, "l", "mul.hi.u64")
LOCKSTEP_2(mul24, int, "r", int, "r", "mul24.lo.s32")
LOCKSTEP_2(umul24, unsigned int, "r", unsigned int, "r", "mul24.lo.u32")
LOCKSTEP_NV int __nv_hadd(int x, int y) { return int(((long long)(x) + y) >> 1); }
LOCKSTEP_NV int __nv_rhadd(int x, int y) { return int(((long long)(x) + y + 1) >> 1); }
LOCKSTEP_NV int __nv_uhadd(unsigned int x, unsigned int y) { return int(((unsigned long long)(x) + y) >> 1); }
LOCKSTEP_NV unsigned int __nv_urhadd(unsigned int x, unsigned int y) {
    return (unsigned int)(((unsigned long long)(x) + y + 1) >> 1);
}
LOCKSTEP_NV unsigned int __nv_sad(int x, int y, unsigned int z) {
    return z + (unsigned int)(x < y ? y - x : x - y);
}
LOCKSTEP_NV unsigned int __nv_usad(unsigned int x, unsigned int y, unsigned int z) {
    return z + (x < y ? y - x : x - y);
}

// Kinds of numbers.
LOCKSTEP_NV int __nv_isnanf(float x) { return x != x; }
LOCKSTEP_NV int __nv_isnand(double x) { return x != x; }
LOCKSTEP_NV int __nv_isinff(float x) { return __builtin_fabsf(x) == __builtin_inff(); }
LOCKSTEP_NV int __nv_isinfd(double x) { return __builtin_fabs(x) == __builtin_inf(); }
LOCKSTEP_NV int __nv_finitef(float x) { return __builtin_fabsf(x) < __builtin_inff(); }
LOCKSTEP_NV int __nv_isfinited(double x) { return __builtin_fabs(x) < __builtin_inf(); }
LOCKSTEP_NV int __nv_signbitf(float x) { return __builtin_bit_cast(unsigned int, x) >> 31; }
LOCKSTEP_NV int __nv_signbitd(double x) { return int(__builtin_bit_cast(unsigned long long, x) >> 63); }

// Two results, which the emulator computes one by one.
extern "C" {
__device__ double __nv_sin(double);
__device__ double __nv_cos(double);
__device__ double __nv_sinpi(double);
__device__ double __nv_cospi(double);
__device__ float __nv_sinf(float);
__device__ float __nv_cosf(float);
__device__ float __nv_sinpif(float);
__device__ float __nv_cospif(float);
__device__ double __nv_remainder(double, double);
__device__ float __nv_remainderf(float, float);
__device__ int __nv_lockstep_quotient(double, double);
__device__ double __nv_hypot(double, double);
}
LOCKSTEP_NV void __nv_sincos(double x, double* sine, double* cosine) {
    *sine = __nv_sin(x);
    *cosine = __nv_cos(x);
}
LOCKSTEP_NV void __nv_sincosf(float x, float* sine, float* cosine) {
    *sine = __nv_sinf(x);
    *cosine = __nv_cosf(x);
}
LOCKSTEP_NV void __nv_sincospi(double x, double* sine, double* cosine) {
    *sine = __nv_sinpi(x);
    *cosine = __nv_cospi(x);
}
LOCKSTEP_NV void __nv_sincospif(float x, float* sine, float* cosine) {
    *sine = __nv_sinpif(x);
    *cosine = __nv_cospif(x);
}
LOCKSTEP_NV double __nv_modf(double x, double* whole) {
    *whole = __nv_trunc(x);
    return __builtin_copysign(__builtin_fabs(x) == __builtin_inf() ? 0.0 : x - *whole, x);
}
LOCKSTEP_NV float __nv_modff(float x, float* whole) {
    *whole = __nv_truncf(x);
    return __builtin_copysignf(__builtin_fabsf(x) == __builtin_inff() ? 0.0f : x - *whole, x);
}
// Zeros, infinities and NaNs stay what they are; what is too small for a whole first bit is scaled.
LOCKSTEP_NV double __nv_frexp(double x, int* exponent) {
    *exponent = 0;
    if (!(__builtin_fabs(x) < __builtin_inf()) || x == 0) return x;
    const bool isSmall = __builtin_fabs(x) < 0x1p-1022;
    const unsigned long long bits = __builtin_bit_cast(unsigned long long, isSmall ? x * 0x1p54 : x);
    *exponent = int(bits >> 52 & 0x7ff) - (isSmall ? 1022 + 54 : 1022);
    return __builtin_bit_cast(double, (bits & 0x800fffffffffffffull) | 0x3fe0000000000000ull);
}
LOCKSTEP_NV float __nv_frexpf(float x, int* exponent) { return float(__nv_frexp(x, exponent)); }
LOCKSTEP_NV double __nv_remquo(double x, double y, int* quotient) {
    *quotient = __nv_lockstep_quotient(x, y);
    return __nv_remainder(x, y);
}
LOCKSTEP_NV float __nv_remquof(float x, float y, int* quotient) {
    *quotient = __nv_lockstep_quotient(x, y);
    return __nv_remainderf(x, y);
}
LOCKSTEP_NV double __nv_norm4d(double x, double y, double z, double w) {
    return __nv_hypot(__nv_hypot(x, y), __nv_hypot(z, w));
}
LOCKSTEP_NV float __nv_norm4df(float x, float y, float z, float w) { return float(__nv_norm4d(x, y, z, w)); }
LOCKSTEP_NV double __nv_rnorm4d(double x, double y, double z, double w) {
    return 1 / __nv_norm4d(x, y, z, w);
}
LOCKSTEP_NV float __nv_rnorm4df(float x, float y, float z, float w) {
    return float(1 / __nv_norm4d(x, y, z, w));
}
LOCKSTEP_NV double __nv_norm(int count, const double* x) {
    double length = 0;
    for (int i = 0; i < count; ++i)
        length = __nv_hypot(length, x[i]);
    return length;
}
LOCKSTEP_NV float __nv_normf(int count, const float* x) {
    double length = 0;
    for (int i = 0; i < count; ++i)
        length = __nv_hypot(length, x[i]);
    return float(length);
}
LOCKSTEP_NV double __nv_rnorm(int count, const double* x) { return 1 / __nv_norm(count, x); }
LOCKSTEP_NV float __nv_rnormf(int count, const float* x) { return 1 / __nv_normf(count, x); }
LOCKSTEP_1(nearbyintf, float, "f", float, "f", "cvt.rni.f32.f32")
LOCKSTEP_1(nearbyint, double, "d", double, "d", "cvt.rni.f64.f64")
LOCKSTEP_NV float __nv_nanf(const signed char*) { return __builtin_nanf(""); }
LOCKSTEP_NV double __nv_nan(const signed char*) { return __builtin_nan(""); }
LOCKSTEP_3(fmaf_ieee_rn, float, "f", float, "f", "fma.rn.f32")
LOCKSTEP_3(fmaf_ieee_rz, float, "f", float, "f", "fma.rz.f32")
LOCKSTEP_3(fmaf_ieee_rd, float, "f", float, "f", "fma.rm.f32")
LOCKSTEP_3(fmaf_ieee_ru, float, "f", float, "f", "fma.rp.f32")

#undef LOCKSTEP_1
#undef LOCKSTEP_2
#undef LOCKSTEP_3
#undef LOCKSTEP_NV
