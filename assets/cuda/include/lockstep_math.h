// min and max of all types, which CUDA has in host and device code, and functions that only CUDA's host code
// has.
#pragma once

static inline __host__ int min(int x, int y) { return x < y ? x : y; }  // of the device: in clang's headers
static inline __host__ int max(int x, int y) { return x > y ? x : y; }
#define LOCKSTEP_MIN_MAX(R, A, B)                                                           \
    static inline __host__ __device__ R min(A x, B y) { return (R)x < (R)y ? (R)x : (R)y; } \
    static inline __host__ __device__ R max(A x, B y) { return (R)x > (R)y ? (R)x : (R)y; }
LOCKSTEP_MIN_MAX(unsigned int, unsigned int, unsigned int)
LOCKSTEP_MIN_MAX(unsigned int, int, unsigned int)
LOCKSTEP_MIN_MAX(unsigned int, unsigned int, int)
LOCKSTEP_MIN_MAX(long, long, long)
LOCKSTEP_MIN_MAX(unsigned long, unsigned long, unsigned long)
LOCKSTEP_MIN_MAX(unsigned long, long, unsigned long)
LOCKSTEP_MIN_MAX(unsigned long, unsigned long, long)
LOCKSTEP_MIN_MAX(long long, long long, long long)
LOCKSTEP_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
LOCKSTEP_MIN_MAX(unsigned long long, long long, unsigned long long)
LOCKSTEP_MIN_MAX(unsigned long long, unsigned long long, long long)
#undef LOCKSTEP_MIN_MAX
// A NaN is left out, as fmin() does.
#define LOCKSTEP_MIN_MAX(R, A, B)                                                  \
    static inline __host__ __device__ R min(A x, B y) { return fmin((R)x, (R)y); } \
    static inline __host__ __device__ R max(A x, B y) { return fmax((R)x, (R)y); }
LOCKSTEP_MIN_MAX(float, float, float)
LOCKSTEP_MIN_MAX(double, double, double)
LOCKSTEP_MIN_MAX(double, float, double)
LOCKSTEP_MIN_MAX(double, double, float)
#undef LOCKSTEP_MIN_MAX

static inline __host__ float rsqrtf(float x) { return 1 / sqrtf(x); }
static inline __host__ double rsqrt(double x) { return 1 / sqrt(x); }
static inline __device__ float rsqrt(float x) { return rsqrtf(x); }
static inline __host__ void sincospif(float x, float* sine, float* cosine) {
    sincosf(x * 3.14159265358979f, sine, cosine);
}

// Overloads that clang's headers declare and leave to CUDA's.
#define LOCKSTEP_DEVICE static __device__ __forceinline__ __attribute__((nodebug))
#define LOCKSTEP_1(name) \
    LOCKSTEP_DEVICE float name(float x) { return name##f(x); }
#define LOCKSTEP_2(name) \
    LOCKSTEP_DEVICE float name(float x, float y) { return name##f(x, y); }
LOCKSTEP_1(acosh)
LOCKSTEP_1(asinh)
LOCKSTEP_1(atanh)
LOCKSTEP_1(cbrt)
LOCKSTEP_1(erfc)
LOCKSTEP_1(erf)
LOCKSTEP_1(exp2)
LOCKSTEP_1(expm1)
LOCKSTEP_1(lgamma)
LOCKSTEP_1(log1p)
LOCKSTEP_1(log2)
LOCKSTEP_1(logb)
LOCKSTEP_1(nearbyint)
LOCKSTEP_1(rint)
LOCKSTEP_1(round)
LOCKSTEP_1(tgamma)
LOCKSTEP_1(trunc)
LOCKSTEP_2(copysign)
LOCKSTEP_2(fdim)
LOCKSTEP_2(fmax)
LOCKSTEP_2(fmin)
LOCKSTEP_2(hypot)
LOCKSTEP_2(nextafter)
LOCKSTEP_2(remainder)
#undef LOCKSTEP_1
#undef LOCKSTEP_2
LOCKSTEP_DEVICE float fma(float x, float y, float z) { return fmaf(x, y, z); }
LOCKSTEP_DEVICE int ilogb(float x) { return ilogbf(x); }
LOCKSTEP_DEVICE long long llrint(float x) { return llrintf(x); }
LOCKSTEP_DEVICE long lrint(float x) { return lrintf(x); }
LOCKSTEP_DEVICE long lround(float x) { return lroundf(x); }
LOCKSTEP_DEVICE long long llround(float x) { return llroundf(x); }
LOCKSTEP_DEVICE float scalbn(float x, int n) { return scalbnf(x, n); }
LOCKSTEP_DEVICE float scalbln(float x, long n) { return scalblnf(x, n); }
LOCKSTEP_DEVICE double nan(const char*) { return __builtin_nan(""); }
LOCKSTEP_DEVICE float nanf(const char*) { return __builtin_nanf(""); }
// Since 6.1 and 7.0.
LOCKSTEP_DEVICE void __nanosleep(unsigned int nanoseconds) {
    asm volatile("nanosleep.u32 %0;" ::"r"(nanoseconds));
}
LOCKSTEP_DEVICE int __dp4a(int a, int b, int c) {
    int result;
    asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(c));
    return result;
}
LOCKSTEP_DEVICE unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) {
    unsigned int result;
    asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(c));
    return result;
}
#undef LOCKSTEP_DEVICE

// Reductions of a warp's integers, since compute capability 8.0.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define LOCKSTEP_REDUCE(name, type, text)                                                       \
    static __device__ __forceinline__ __attribute__((nodebug))                                  \
    type __reduce_##name##_sync(unsigned int mask, type value) {                                \
        type result;                                                                            \
        asm volatile("redux.sync." text " %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask)); \
        return result;                                                                          \
    }
LOCKSTEP_REDUCE(add, int, "add.s32")
LOCKSTEP_REDUCE(add, unsigned int, "add.u32")
LOCKSTEP_REDUCE(min, int, "min.s32")
LOCKSTEP_REDUCE(min, unsigned int, "min.u32")
LOCKSTEP_REDUCE(max, int, "max.s32")
LOCKSTEP_REDUCE(max, unsigned int, "max.u32")
LOCKSTEP_REDUCE(and, unsigned int, "and.b32")
LOCKSTEP_REDUCE(or, unsigned int, "or.b32")
LOCKSTEP_REDUCE(xor, unsigned int, "xor.b32")
#undef LOCKSTEP_REDUCE
#endif
