// Stand-ins for the C and C++ headers that .cu files often include and NVRTC does not have: what device code
// may use of them is built in (printf, assert, sinf, memcpy), or is a few types and constants.
#pragma once

#include <array>

namespace lockstep::cuda {

struct StandardHeader {
    const char *name, *text;
};

inline constexpr const char* kIntegerTypes = R"(#pragma once
typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef long long int64_t;
typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned int uint32_t; typedef unsigned long long uint64_t;
typedef long long intptr_t; typedef unsigned long long uintptr_t;
)";
inline constexpr const char* kIntegerTypesInStd = R"(#pragma once
#include <stdint.h>
namespace std {
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t; using ::intptr_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t; using ::uintptr_t;
}
)";
inline constexpr const char* kMathConstants = R"(#pragma once
#define M_E 2.7182818284590452354
#define M_LN2 0.69314718055994530942
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_SQRT2 1.41421356237309504880
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
#endif
)";
// Compiler built-ins under their C++ library names.
inline constexpr const char* kMathInStd = R"(#pragma once
#include <math.h>
namespace std {
using ::abs; using ::fabs; using ::fmod; using ::fma; using ::fmin; using ::fmax; using ::sqrt; using ::cbrt; using ::hypot; using ::pow;
using ::exp; using ::exp2; using ::expm1; using ::log; using ::log2; using ::log10; using ::log1p; using ::erf; using ::tgamma;
using ::sin; using ::cos; using ::tan; using ::asin; using ::acos; using ::atan; using ::atan2; using ::sinh; using ::cosh; using ::tanh;
using ::floor; using ::ceil; using ::round; using ::trunc; using ::isnan; using ::isinf; using ::isfinite; using ::signbit;
}
)";
inline constexpr const char* kAlgorithms = R"(#pragma once
namespace std {
using ::min; using ::max;
template <class T> __host__ __device__ void swap(T& a, T& b) { T c = a; a = b; b = c; }
}
)";
inline constexpr const char* kUtilities = "#pragma once\n#include <algorithm>\n";
inline constexpr const char* kNumericLimits = R"(#pragma once
#include <float.h>
#include <limits.h>
namespace std {
template <class T> struct numeric_limits;
#define LOCKSTEP_LIMITS(T, least, smallest, most, step)                                         \
    template <> struct numeric_limits<T> {                                                      \
        static __host__ __device__ constexpr T lowest() { return least; }                       \
        static __host__ __device__ constexpr T min() { return smallest; }                       \
        static __host__ __device__ constexpr T max() { return most; }                           \
        static __host__ __device__ constexpr T epsilon() { return step; }                       \
        static __device__ T infinity() { return T(__int_as_float(0x7f800000)); }                \
    };
#define LOCKSTEP_WHOLE_LIMITS(T, least, most)                                                   \
    template <> struct numeric_limits<T> {                                                      \
        static __host__ __device__ constexpr T lowest() { return least; }                       \
        static __host__ __device__ constexpr T min() { return least; }                          \
        static __host__ __device__ constexpr T max() { return most; }                           \
    };
LOCKSTEP_LIMITS(float, -FLT_MAX, FLT_MIN, FLT_MAX, FLT_EPSILON)
LOCKSTEP_LIMITS(double, -DBL_MAX, DBL_MIN, DBL_MAX, DBL_EPSILON)
LOCKSTEP_WHOLE_LIMITS(char, SCHAR_MIN, SCHAR_MAX)
LOCKSTEP_WHOLE_LIMITS(signed char, SCHAR_MIN, SCHAR_MAX)
LOCKSTEP_WHOLE_LIMITS(unsigned char, 0, UCHAR_MAX)
LOCKSTEP_WHOLE_LIMITS(short, SHRT_MIN, SHRT_MAX)
LOCKSTEP_WHOLE_LIMITS(unsigned short, 0, USHRT_MAX)
LOCKSTEP_WHOLE_LIMITS(int, INT_MIN, INT_MAX)
LOCKSTEP_WHOLE_LIMITS(unsigned int, 0, UINT_MAX)
LOCKSTEP_WHOLE_LIMITS(long, LONG_MIN, LONG_MAX)
LOCKSTEP_WHOLE_LIMITS(unsigned long, 0, ULONG_MAX)
LOCKSTEP_WHOLE_LIMITS(long long, LLONG_MIN, LLONG_MAX)
LOCKSTEP_WHOLE_LIMITS(unsigned long long, 0, ULLONG_MAX)
#undef LOCKSTEP_LIMITS
#undef LOCKSTEP_WHOLE_LIMITS
}
)";
inline constexpr const char* kFloatLimits = R"(#pragma once
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-07f
#define DBL_MAX 1.7976931348623158e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
)";
inline constexpr const char* kIntegerLimits = R"(#pragma once
#define CHAR_BIT 8
#define SCHAR_MAX 127
#define SCHAR_MIN (-128)
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295u
#define LONG_MAX 9223372036854775807l
#define LONG_MIN (-9223372036854775807l - 1)
#define ULONG_MAX 18446744073709551615ul
#define LLONG_MAX 9223372036854775807ll
#define LLONG_MIN (-9223372036854775807ll - 1)
#define ULLONG_MAX 18446744073709551615ull
)";
inline constexpr const char* kNothing = "#pragma once\n";

inline constexpr std::array kStandardHeaders{
    StandardHeader{"stdint.h", kIntegerTypes},  StandardHeader{"cstdint", kIntegerTypesInStd},
    StandardHeader{"math.h", kMathConstants},   StandardHeader{"cmath", kMathInStd},
    StandardHeader{"float.h", kFloatLimits},    StandardHeader{"cfloat", kFloatLimits},
    StandardHeader{"limits.h", kIntegerLimits}, StandardHeader{"climits", kIntegerLimits},
    StandardHeader{"stdio.h", kNothing},        StandardHeader{"cstdio", kNothing},
    StandardHeader{"stdlib.h", kNothing},       StandardHeader{"cstdlib", kNothing},
    StandardHeader{"string.h", kNothing},       StandardHeader{"cstring", kNothing},
    StandardHeader{"stddef.h", kNothing},       StandardHeader{"cstddef", kNothing},
    StandardHeader{"algorithm", kAlgorithms},   StandardHeader{"utility", kUtilities},
    StandardHeader{"limits", kNumericLimits},   StandardHeader{"assert.h", kNothing},
    StandardHeader{"cassert", kNothing},
};

}  // namespace lockstep::cuda
