// Half precision under CUDA's names (CUDA Math API, Half Precision Intrinsics). Kernels use PTX's
// instructions for halves; functions that PTX has not are computed as floats and rounded. Host code computes
// as floats or doubles, which hold every intermediate result that matters, and rounds once.
#pragma once

#define __CUDA_FP16_H__
#define __CUDA_FP16_HPP__
#define CUDA_FP16_TYPES_EXIST

#include "cuda_runtime.h"

#include <math.h>

#ifdef __CUDA_ARCH__
#define LOCKSTEP_EITHER(device, host) device
#else
#define LOCKSTEP_EITHER(device, host) host
#endif
#define LOCKSTEP_BOTH static inline __host__ __device__
#define LOCKSTEP_ALONE static __device__ __forceinline__

struct __half_raw {
    unsigned short x;
};
struct __half2_raw {
    unsigned short x, y;
};

namespace lockstep_half {

enum Rounding { Nearest, Zero, Down, Up };

static inline float widened(unsigned short bits) {
    const int exponent = bits >> 10 & 31, rest = bits & 1023;
    const float size = exponent == 31 ? (rest ? NAN : INFINITY)
                       : exponent     ? ldexpf(float(1024 + rest), exponent - 25)
                                      : ldexpf(float(rest), -24);
    return bits >> 15 ? -size : size;
}

static inline unsigned short rounded(double value, Rounding rounding) {
    if (value != value) return 0x7fff;
    const bool negative = __builtin_signbit(value);
    const unsigned short sign = negative ? 0x8000 : 0;
    const double size = fabs(value);
    if (size == 0 || isinf(size)) return sign | (size == 0 ? 0 : 0x7c00);
    int exponent;
    frexp(size, &exponent);
    exponent = exponent - 1 < -14 ? -14 : exponent - 1;
    const bool isOutwards = rounding == (negative ? Down : Up);
    unsigned bits = 0x7c00;
    if (exponent < 16) {
        const double units = ldexp(size, 10 - exponent), whole = floor(units), rest = units - whole;
        const bool isUp =
            rounding == Nearest ? rest > 0.5 || (rest == 0.5 && fmod(whole, 2) == 1) : isOutwards && rest > 0;
        bits = unsigned(exponent + 14) * 1024 + unsigned(whole) + isUp;
    }
    if (bits >= 0x7c00) bits = rounding == Nearest || isOutwards ? 0x7c00 : 0x7bff;
    return sign | (unsigned short)bits;
}

#define LOCKSTEP_ROUND(mode, instruction)                         \
    LOCKSTEP_BOTH unsigned short from##mode(float value) {        \
        unsigned short bits;                                      \
        LOCKSTEP_EITHER(asm("cvt." instruction ".f16.f32 %0, %1;" \
                            : "=h"(bits)                          \
                            : "f"(value)),                        \
                        bits = rounded(value, mode));             \
        return bits;                                              \
    }
LOCKSTEP_ROUND(Nearest, "rn")
LOCKSTEP_ROUND(Zero, "rz")
LOCKSTEP_ROUND(Down, "rm")
LOCKSTEP_ROUND(Up, "rp")
#undef LOCKSTEP_ROUND

LOCKSTEP_BOTH unsigned short fromDouble(double value) {
    unsigned short bits;
    LOCKSTEP_EITHER(asm("cvt.rn.f16.f64 %0, %1;" : "=h"(bits) : "d"(value)), bits = rounded(value, Nearest));
    return bits;
}
LOCKSTEP_BOTH float toFloat(unsigned short bits) {
    float value;
    LOCKSTEP_EITHER(asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits)), value = widened(bits));
    return value;
}
// To an integer, as the hardware does: what is out of its range becomes the nearest there is, a NaN 0.
template <class T> LOCKSTEP_BOTH T toWhole(float value, T least, T greatest) {
    if (value != value) return 0;
    if (value <= float(least)) return least;
    return value >= float(greatest) ? greatest : T(value);
}

}  // namespace lockstep_half

// Integers beyond 2^24 are beyond the range of a half, so that a float is an exact way.
struct __align__(2) __half {
    unsigned short __x;

    __half() = default;
    __host__ __device__ __half(const __half_raw& raw) : __x(raw.x) {}
    __host__ __device__ __half(float value) : __x(lockstep_half::fromNearest(value)) {}
    __host__ __device__ __half(double value) : __x(lockstep_half::fromDouble(value)) {}
#define LOCKSTEP_WHOLE(T) \
    __host__ __device__ __half(T value) : __x(lockstep_half::fromNearest(float(value))) {}
    LOCKSTEP_WHOLE(short)
    LOCKSTEP_WHOLE(unsigned short)
    LOCKSTEP_WHOLE(int)
    LOCKSTEP_WHOLE(unsigned int)
    LOCKSTEP_WHOLE(long)
    LOCKSTEP_WHOLE(unsigned long)
    LOCKSTEP_WHOLE(long long)
    LOCKSTEP_WHOLE(unsigned long long)
#undef LOCKSTEP_WHOLE

    __host__ __device__ operator float() const { return lockstep_half::toFloat(__x); }
    __host__ __device__ operator __half_raw() const { return {__x}; }
    __host__ __device__ operator bool() const { return (__x & 0x7fff) != 0; }
#define LOCKSTEP_WHOLE(T, least, greatest)                                                        \
    __host__ __device__ operator T() const {                                                      \
        return lockstep_half::toWhole<T>(lockstep_half::toFloat(__x), (T)(least), (T)(greatest)); \
    }
    LOCKSTEP_WHOLE(signed char, -128, 127)
    LOCKSTEP_WHOLE(unsigned char, 0, 255)
    LOCKSTEP_WHOLE(char, -128, 127)
    LOCKSTEP_WHOLE(short, -32768, 32767)
    LOCKSTEP_WHOLE(unsigned short, 0, 65535)
    LOCKSTEP_WHOLE(int, -2147483647 - 1, 2147483647)
    LOCKSTEP_WHOLE(unsigned int, 0, 4294967295u)
    LOCKSTEP_WHOLE(long, -9223372036854775807L - 1, 9223372036854775807L)
    LOCKSTEP_WHOLE(unsigned long, 0, 18446744073709551615UL)
    LOCKSTEP_WHOLE(long long, -9223372036854775807LL - 1, 9223372036854775807LL)
    LOCKSTEP_WHOLE(unsigned long long, 0, 18446744073709551615ULL)
#undef LOCKSTEP_WHOLE
};

struct __align__(4) __half2 {
    __half x, y;

    __half2() = default;
    __host__ __device__ __half2(const __half& low, const __half& high) : x(low), y(high) {}
    __host__ __device__ __half2(const __half2_raw& raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
    __host__ __device__ operator __half2_raw() const { return {x.__x, y.__x}; }
};

typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half nv_half;
typedef __half2 nv_half2;

namespace lockstep_half {
LOCKSTEP_BOTH __half of(unsigned short bits) { return __half(__half_raw{bits}); }
LOCKSTEP_BOTH unsigned wordOf(__half2 pair) { return pair.x.__x | (unsigned)pair.y.__x << 16; }
LOCKSTEP_BOTH __half2 pairOf(unsigned word) {
    return __half2(of((unsigned short)word), of((unsigned short)(word >> 16)));
}
}  // namespace lockstep_half

#define CUDART_INF_FP16 lockstep_half::of(0x7c00)
#define CUDART_NAN_FP16 lockstep_half::of(0x7fff)
#define CUDART_MIN_DENORM_FP16 lockstep_half::of(0x0001)
#define CUDART_MAX_NORMAL_FP16 lockstep_half::of(0x7bff)
#define CUDART_NEG_ZERO_FP16 lockstep_half::of(0x8000)
#define CUDART_ZERO_FP16 lockstep_half::of(0x0000)
#define CUDART_ONE_FP16 lockstep_half::of(0x3c00)

#include "lockstep_half_arithmetic.h"
#include "lockstep_half_conversions.h"

#undef LOCKSTEP_EITHER
#undef LOCKSTEP_BOTH
#undef LOCKSTEP_ALONE
