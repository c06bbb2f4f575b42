// Stand-ins for the C and C++ headers that .cu files include by habit and NVRTC does not have: what device
// code may use of them is built in already (printf, assert, sinf, memcpy), or is a handful of types and
// constants.
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
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295u
#define LLONG_MAX 9223372036854775807ll
#define LLONG_MIN (-9223372036854775807ll - 1)
#define ULLONG_MAX 18446744073709551615ull
)";
inline constexpr const char* kNothing = "#pragma once\n";

inline constexpr std::array kStandardHeaders{
    StandardHeader{"stdint.h", kIntegerTypes},  StandardHeader{"cstdint", kIntegerTypesInStd},
    StandardHeader{"math.h", kMathConstants},   StandardHeader{"cmath", kMathConstants},
    StandardHeader{"float.h", kFloatLimits},    StandardHeader{"cfloat", kFloatLimits},
    StandardHeader{"limits.h", kIntegerLimits}, StandardHeader{"climits", kIntegerLimits},
    StandardHeader{"stdio.h", kNothing},        StandardHeader{"cstdio", kNothing},
    StandardHeader{"stdlib.h", kNothing},       StandardHeader{"cstdlib", kNothing},
    StandardHeader{"string.h", kNothing},       StandardHeader{"cstring", kNothing},
    StandardHeader{"stddef.h", kNothing},       StandardHeader{"cstddef", kNothing},
    StandardHeader{"assert.h", kNothing},       StandardHeader{"cassert", kNothing},
};

}  // namespace lockstep::cuda
