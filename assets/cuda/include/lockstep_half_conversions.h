// Part of cuda_fp16.h: between halves, pairs of halves and other types.
#pragma once

LOCKSTEP_BOTH __half __float2half(float value) { return __half(value); }
LOCKSTEP_BOTH __half __float2half_rn(float value) { return __half(value); }
LOCKSTEP_BOTH __half __float2half_rz(float value) {
    return lockstep_half::of(lockstep_half::fromZero(value));
}
LOCKSTEP_BOTH __half __float2half_rd(float value) {
    return lockstep_half::of(lockstep_half::fromDown(value));
}
LOCKSTEP_BOTH __half __float2half_ru(float value) { return lockstep_half::of(lockstep_half::fromUp(value)); }
LOCKSTEP_BOTH __half __double2half(double value) { return __half(value); }
LOCKSTEP_BOTH float __half2float(__half value) { return lockstep_half::toFloat(value.__x); }

LOCKSTEP_BOTH __half2 make_half2(__half low, __half high) { return __half2(low, high); }
LOCKSTEP_BOTH __half2 __halves2half2(__half low, __half high) { return __half2(low, high); }
LOCKSTEP_BOTH __half2 __half2half2(__half value) { return __half2(value, value); }
LOCKSTEP_BOTH __half2 __float2half2_rn(float value) { return __half2half2(__half(value)); }
LOCKSTEP_BOTH __half2 __floats2half2_rn(float low, float high) { return __half2(__half(low), __half(high)); }
LOCKSTEP_BOTH __half2 __float22half2_rn(float2 value) { return __floats2half2_rn(value.x, value.y); }
LOCKSTEP_BOTH float2 __half22float2(__half2 value) {
    return make_float2(__half2float(value.x), __half2float(value.y));
}
LOCKSTEP_BOTH float __low2float(__half2 value) { return __half2float(value.x); }
LOCKSTEP_BOTH float __high2float(__half2 value) { return __half2float(value.y); }
LOCKSTEP_BOTH __half __low2half(__half2 value) { return value.x; }
LOCKSTEP_BOTH __half __high2half(__half2 value) { return value.y; }
LOCKSTEP_BOTH __half2 __low2half2(__half2 value) { return __half2(value.x, value.x); }
LOCKSTEP_BOTH __half2 __high2half2(__half2 value) { return __half2(value.y, value.y); }
LOCKSTEP_BOTH __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
LOCKSTEP_BOTH __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
LOCKSTEP_BOTH __half2 __lowhigh2highlow(__half2 value) { return __half2(value.y, value.x); }

LOCKSTEP_BOTH short __half_as_short(__half value) { return (short)value.__x; }
LOCKSTEP_BOTH unsigned short __half_as_ushort(__half value) { return value.__x; }
LOCKSTEP_BOTH __half __short_as_half(short bits) { return lockstep_half::of((unsigned short)bits); }
LOCKSTEP_BOTH __half __ushort_as_half(unsigned short bits) { return lockstep_half::of(bits); }

// To whole numbers and back, in the four ways of rounding.
#define LOCKSTEP_WHOLE(word, T, least, greatest)                                               \
    LOCKSTEP_BOTH T __half2##word##_rn(__half value) {                                         \
        return lockstep_half::toWhole<T>(rintf(__half2float(value)), least, greatest);         \
    }                                                                                          \
    LOCKSTEP_BOTH T __half2##word##_rz(__half value) {                                         \
        return lockstep_half::toWhole<T>(truncf(__half2float(value)), least, greatest);        \
    }                                                                                          \
    LOCKSTEP_BOTH T __half2##word##_rd(__half value) {                                         \
        return lockstep_half::toWhole<T>(floorf(__half2float(value)), least, greatest);        \
    }                                                                                          \
    LOCKSTEP_BOTH T __half2##word##_ru(__half value) {                                         \
        return lockstep_half::toWhole<T>(ceilf(__half2float(value)), least, greatest);         \
    }                                                                                          \
    LOCKSTEP_BOTH __half __##word##2half_rn(T value) { return __float2half_rn((float)value); } \
    LOCKSTEP_BOTH __half __##word##2half_rz(T value) { return __float2half_rz((float)value); } \
    LOCKSTEP_BOTH __half __##word##2half_rd(T value) { return __float2half_rd((float)value); } \
    LOCKSTEP_BOTH __half __##word##2half_ru(T value) { return __float2half_ru((float)value); }
LOCKSTEP_WHOLE(short, short, -32768, 32767)
LOCKSTEP_WHOLE(ushort, unsigned short, 0, 65535)
LOCKSTEP_WHOLE(int, int, -2147483647 - 1, 2147483647)
LOCKSTEP_WHOLE(uint, unsigned int, 0, 4294967295u)
LOCKSTEP_WHOLE(ll, long long, -9223372036854775807LL - 1, 9223372036854775807LL)
LOCKSTEP_WHOLE(ull, unsigned long long, 0, 18446744073709551615ULL)
#undef LOCKSTEP_WHOLE
