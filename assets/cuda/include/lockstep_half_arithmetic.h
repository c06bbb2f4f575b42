// Part of cuda_fp16.h: arithmetic, comparisons, functions, shuffles and atomics of halves and pairs.
#pragma once

#include "lockstep_half_conversions.h"

// Of one half by an instruction of PTX, of a pair by the instruction for two; in host code as floats.
#define LOCKSTEP_HALF_1(name, instruction, host)                                                   \
    LOCKSTEP_BOTH __half name(__half a) {                                                          \
        unsigned short bits;                                                                       \
        LOCKSTEP_EITHER(asm(instruction ".f16 %0, %1;" : "=h"(bits) : "h"(a.__x)), bits = (host)); \
        return lockstep_half::of(bits);                                                            \
    }                                                                                              \
    LOCKSTEP_BOTH __half2 name##2(__half2 a) {                                                     \
        unsigned word;                                                                             \
        LOCKSTEP_EITHER(asm(instruction ".f16x2 %0, %1;"                                           \
                            : "=r"(word)                                                           \
                            : "r"(lockstep_half::wordOf(a))),                                      \
                        word = lockstep_half::wordOf(__half2(name(a.x), name(a.y))));              \
        return lockstep_half::pairOf(word);                                                        \
    }
#define LOCKSTEP_HALF_2(name, pair, instruction, host)                                          \
    LOCKSTEP_BOTH __half name(__half a, __half b) {                                             \
        unsigned short bits;                                                                    \
        LOCKSTEP_EITHER(asm(instruction ".f16 %0, %1, %2;"                                      \
                            : "=h"(bits)                                                        \
                            : "h"(a.__x), "h"(b.__x)),                                          \
                        bits = lockstep_half::rounded(host, lockstep_half::Nearest));           \
        return lockstep_half::of(bits);                                                         \
    }                                                                                           \
    LOCKSTEP_BOTH __half2 pair(__half2 a, __half2 b) {                                          \
        unsigned word;                                                                          \
        LOCKSTEP_EITHER(asm(instruction ".f16x2 %0, %1, %2;"                                    \
                            : "=r"(word)                                                        \
                            : "r"(lockstep_half::wordOf(a)), "r"(lockstep_half::wordOf(b))),    \
                        word = lockstep_half::wordOf(__half2(name(a.x, b.x), name(a.y, b.y)))); \
        return lockstep_half::pairOf(word);                                                     \
    }
#define LOCKSTEP_HALF_3(name, pair, instruction, host)                                                    \
    LOCKSTEP_BOTH __half name(__half a, __half b, __half c) {                                             \
        unsigned short bits;                                                                              \
        LOCKSTEP_EITHER(asm(instruction ".f16 %0, %1, %2, %3;"                                            \
                            : "=h"(bits)                                                                  \
                            : "h"(a.__x), "h"(b.__x), "h"(c.__x)),                                        \
                        bits = lockstep_half::rounded(host, lockstep_half::Nearest));                     \
        return lockstep_half::of(bits);                                                                   \
    }                                                                                                     \
    LOCKSTEP_BOTH __half2 pair(__half2 a, __half2 b, __half2 c) {                                         \
        unsigned word;                                                                                    \
        LOCKSTEP_EITHER(asm(instruction ".f16x2 %0, %1, %2, %3;"                                          \
                            : "=r"(word)                                                                  \
                            : "r"(lockstep_half::wordOf(a)), "r"(lockstep_half::wordOf(b)),               \
                              "r"(lockstep_half::wordOf(c))),                                             \
                        word = lockstep_half::wordOf(__half2(name(a.x, b.x, c.x), name(a.y, b.y, c.y)))); \
        return lockstep_half::pairOf(word);                                                               \
    }

namespace lockstep_half {
// Host code only. A NaN gives 0, as .sat does.
static inline double saturated(double value) { return value > 0 ? (value < 1 ? value : 1) : 0; }
static inline double positive(double value) { return value < 0 ? 0 : value; }
static inline double least(double a, double b) {
    if (a != a || b != b) return a != a ? b : a;
    return a < b || (a == b && __builtin_signbit(a)) ? a : b;
}
static inline double greatest(double a, double b) { return -least(-a, -b); }
static inline double leastOrNan(double a, double b) { return a != a || b != b ? (double)NAN : least(a, b); }
static inline double greatestOrNan(double a, double b) {
    return a != a || b != b ? (double)NAN : greatest(a, b);
}
}  // namespace lockstep_half

#define LOCKSTEP_A ((double)__half2float(a))
#define LOCKSTEP_B ((double)__half2float(b))
#define LOCKSTEP_C ((double)__half2float(c))
LOCKSTEP_HALF_1(__hneg, "neg", lockstep_half::rounded(-__half2float(a), lockstep_half::Nearest))
LOCKSTEP_HALF_1(__habs, "abs", lockstep_half::rounded(fabsf(__half2float(a)), lockstep_half::Nearest))
LOCKSTEP_HALF_2(__hadd, __hadd2, "add", LOCKSTEP_A + LOCKSTEP_B)
LOCKSTEP_HALF_2(__hadd_rn, __hadd2_rn, "add.rn", LOCKSTEP_A + LOCKSTEP_B)
LOCKSTEP_HALF_2(__hadd_sat, __hadd2_sat, "add.sat", lockstep_half::saturated(LOCKSTEP_A + LOCKSTEP_B))
LOCKSTEP_HALF_2(__hsub, __hsub2, "sub", LOCKSTEP_A - LOCKSTEP_B)
LOCKSTEP_HALF_2(__hsub_rn, __hsub2_rn, "sub.rn", LOCKSTEP_A - LOCKSTEP_B)
LOCKSTEP_HALF_2(__hsub_sat, __hsub2_sat, "sub.sat", lockstep_half::saturated(LOCKSTEP_A - LOCKSTEP_B))
LOCKSTEP_HALF_2(__hmul, __hmul2, "mul", LOCKSTEP_A* LOCKSTEP_B)
LOCKSTEP_HALF_2(__hmul_rn, __hmul2_rn, "mul.rn", LOCKSTEP_A* LOCKSTEP_B)
LOCKSTEP_HALF_2(__hmul_sat, __hmul2_sat, "mul.sat", lockstep_half::saturated(LOCKSTEP_A* LOCKSTEP_B))
LOCKSTEP_HALF_2(__hmin, __hmin2, "min", lockstep_half::least(LOCKSTEP_A, LOCKSTEP_B))
LOCKSTEP_HALF_2(__hmax, __hmax2, "max", lockstep_half::greatest(LOCKSTEP_A, LOCKSTEP_B))
LOCKSTEP_HALF_2(__hmin_nan, __hmin2_nan, "min.NaN", lockstep_half::leastOrNan(LOCKSTEP_A, LOCKSTEP_B))
LOCKSTEP_HALF_2(__hmax_nan, __hmax2_nan, "max.NaN", lockstep_half::greatestOrNan(LOCKSTEP_A, LOCKSTEP_B))
LOCKSTEP_HALF_3(__hfma, __hfma2, "fma.rn", LOCKSTEP_A* LOCKSTEP_B + LOCKSTEP_C)
LOCKSTEP_HALF_3(__hfma_sat, __hfma2_sat, "fma.rn.sat",
                lockstep_half::saturated(LOCKSTEP_A* LOCKSTEP_B + LOCKSTEP_C))
LOCKSTEP_HALF_3(__hfma_relu, __hfma2_relu, "fma.rn.relu",
                lockstep_half::positive(LOCKSTEP_A* LOCKSTEP_B + LOCKSTEP_C))
#undef LOCKSTEP_A
#undef LOCKSTEP_B
#undef LOCKSTEP_C
#undef LOCKSTEP_HALF_1
#undef LOCKSTEP_HALF_2
#undef LOCKSTEP_HALF_3

// A float's quotient has more than twice the digits of a half: rounding it again changes nothing.
LOCKSTEP_BOTH __half __hdiv(__half a, __half b) { return __half(__half2float(a) / __half2float(b)); }
LOCKSTEP_BOTH __half2 __h2div(__half2 a, __half2 b) { return __half2(__hdiv(a.x, b.x), __hdiv(a.y, b.y)); }

// Comparisons: with a NaN false, those with a u at the end true.
#define LOCKSTEP_COMPARE(name, op)                                                                    \
    LOCKSTEP_BOTH bool __h##name(__half a, __half b) { return __half2float(a) op __half2float(b); }   \
    LOCKSTEP_BOTH bool __h##name##u(__half a, __half b) {                                             \
        const float one = __half2float(a), two = __half2float(b);                                     \
        return one op two || one != one || two != two;                                                \
    }                                                                                                 \
    LOCKSTEP_BOTH __half2 __h##name##2(__half2 a, __half2 b) {                                        \
        return __half2(__half((float)__h##name(a.x, b.x)), __half((float)__h##name(a.y, b.y)));       \
    }                                                                                                 \
    LOCKSTEP_BOTH __half2 __h##name##u2(__half2 a, __half2 b) {                                       \
        return __half2(__half((float)__h##name##u(a.x, b.x)), __half((float)__h##name##u(a.y, b.y))); \
    }                                                                                                 \
    LOCKSTEP_BOTH bool __hb##name##2(__half2 a, __half2 b) {                                          \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                            \
    }                                                                                                 \
    LOCKSTEP_BOTH bool __hb##name##u2(__half2 a, __half2 b) {                                         \
        return __h##name##u(a.x, b.x) && __h##name##u(a.y, b.y);                                      \
    }                                                                                                 \
    LOCKSTEP_BOTH unsigned __h##name##2_mask(__half2 a, __half2 b) {                                  \
        return (__h##name(a.x, b.x) ? 0xffffu : 0) | (__h##name(a.y, b.y) ? 0xffff0000u : 0);         \
    }
LOCKSTEP_COMPARE(eq, ==)
LOCKSTEP_COMPARE(le, <=)
LOCKSTEP_COMPARE(ge, >=)
LOCKSTEP_COMPARE(lt, <)
LOCKSTEP_COMPARE(gt, >)
#undef LOCKSTEP_COMPARE
LOCKSTEP_BOTH bool __hne(__half a, __half b) {
    const float one = __half2float(a), two = __half2float(b);
    return one == one && two == two && one != two;
}
LOCKSTEP_BOTH bool __hneu(__half a, __half b) { return __half2float(a) != __half2float(b); }
LOCKSTEP_BOTH __half2 __hne2(__half2 a, __half2 b) {
    return __half2(__half((float)__hne(a.x, b.x)), __half((float)__hne(a.y, b.y)));
}
LOCKSTEP_BOTH __half2 __hneu2(__half2 a, __half2 b) {
    return __half2(__half((float)__hneu(a.x, b.x)), __half((float)__hneu(a.y, b.y)));
}
LOCKSTEP_BOTH bool __hbne2(__half2 a, __half2 b) { return __hne(a.x, b.x) && __hne(a.y, b.y); }
LOCKSTEP_BOTH bool __hbneu2(__half2 a, __half2 b) { return __hneu(a.x, b.x) && __hneu(a.y, b.y); }
LOCKSTEP_BOTH bool __hisnan(__half a) { return (a.__x & 0x7fff) > 0x7c00; }
LOCKSTEP_BOTH int __hisinf(__half a) { return a.__x == 0x7c00 ? 1 : a.__x == 0xfc00 ? -1 : 0; }
LOCKSTEP_BOTH __half2 __hisnan2(__half2 a) {
    return __half2(__half((float)__hisnan(a.x)), __half((float)__hisnan(a.y)));
}

#define LOCKSTEP_OPERATOR(op, one, two)                                                         \
    LOCKSTEP_BOTH __half operator op(const __half& a, const __half& b) { return one(a, b); }    \
    LOCKSTEP_BOTH __half2 operator op(const __half2& a, const __half2& b) { return two(a, b); } \
    LOCKSTEP_BOTH __half& operator op##=(__half& a, const __half& b) { return a = one(a, b); }  \
    LOCKSTEP_BOTH __half2& operator op##=(__half2& a, const __half2& b) { return a = two(a, b); }
LOCKSTEP_OPERATOR(+, __hadd, __hadd2)
LOCKSTEP_OPERATOR(-, __hsub, __hsub2)
LOCKSTEP_OPERATOR(*, __hmul, __hmul2)
LOCKSTEP_OPERATOR(/, __hdiv, __h2div)
#undef LOCKSTEP_OPERATOR
#define LOCKSTEP_OPERATOR(op, one, two)                                                    \
    LOCKSTEP_BOTH bool operator op(const __half& a, const __half& b) { return one(a, b); } \
    LOCKSTEP_BOTH bool operator op(const __half2& a, const __half2& b) { return two(a, b); }
LOCKSTEP_OPERATOR(==, __heq, __hbeq2)
LOCKSTEP_OPERATOR(!=, __hneu, __hbneu2)
LOCKSTEP_OPERATOR(<, __hlt, __hblt2)
LOCKSTEP_OPERATOR(>, __hgt, __hbgt2)
LOCKSTEP_OPERATOR(<=, __hle, __hble2)
LOCKSTEP_OPERATOR(>=, __hge, __hbge2)
#undef LOCKSTEP_OPERATOR
LOCKSTEP_BOTH __half operator+(const __half& a) { return a; }
LOCKSTEP_BOTH __half operator-(const __half& a) { return __hneg(a); }
LOCKSTEP_BOTH __half2 operator+(const __half2& a) { return a; }
LOCKSTEP_BOTH __half2 operator-(const __half2& a) { return __hneg2(a); }
LOCKSTEP_BOTH __half& operator++(__half& a) { return a = __hadd(a, CUDART_ONE_FP16); }
LOCKSTEP_BOTH __half& operator--(__half& a) { return a = __hsub(a, CUDART_ONE_FP16); }
LOCKSTEP_BOTH __half operator++(__half& a, int) {
    const __half before = a;
    ++a;
    return before;
}
LOCKSTEP_BOTH __half operator--(__half& a, int) {
    const __half before = a;
    --a;
    return before;
}

// Functions of one half and of a pair, which CUDA has in kernels only.
#define LOCKSTEP_FUNCTION(name, value)           \
    LOCKSTEP_ALONE __half h##name(__half half) { \
        const float a = __half2float(half);      \
        return __half((float)(value));           \
    }                                            \
    LOCKSTEP_ALONE __half2 h2##name(__half2 a) { return __half2(h##name(a.x), h##name(a.y)); }
LOCKSTEP_FUNCTION(sqrt, sqrtf(a))
LOCKSTEP_FUNCTION(rsqrt, rsqrtf(a))
LOCKSTEP_FUNCTION(rcp, 1.0f / a)
LOCKSTEP_FUNCTION(exp, expf(a))
LOCKSTEP_FUNCTION(exp2, exp2f(a))
LOCKSTEP_FUNCTION(exp10, exp10f(a))
LOCKSTEP_FUNCTION(log, logf(a))
LOCKSTEP_FUNCTION(log2, log2f(a))
LOCKSTEP_FUNCTION(log10, log10f(a))
LOCKSTEP_FUNCTION(sin, sinf(a))
LOCKSTEP_FUNCTION(cos, cosf(a))
LOCKSTEP_FUNCTION(tanh, tanhf(a))
LOCKSTEP_FUNCTION(ceil, ceilf(a))
LOCKSTEP_FUNCTION(floor, floorf(a))
LOCKSTEP_FUNCTION(rint, rintf(a))
LOCKSTEP_FUNCTION(trunc, truncf(a))
#undef LOCKSTEP_FUNCTION

#define LOCKSTEP_SHUFFLE(name, By)                                                            \
    LOCKSTEP_ALONE __half name(unsigned mask, __half value, By by, int width = 32) {          \
        return lockstep_half::of((unsigned short)name(mask, (unsigned)value.__x, by, width)); \
    }                                                                                         \
    LOCKSTEP_ALONE __half2 name(unsigned mask, __half2 value, By by, int width = 32) {        \
        return lockstep_half::pairOf(name(mask, lockstep_half::wordOf(value), by, width));    \
    }
LOCKSTEP_SHUFFLE(__shfl_sync, int)
LOCKSTEP_SHUFFLE(__shfl_up_sync, unsigned)
LOCKSTEP_SHUFFLE(__shfl_down_sync, unsigned)
LOCKSTEP_SHUFFLE(__shfl_xor_sync, int)
#undef LOCKSTEP_SHUFFLE

LOCKSTEP_ALONE __half __ldg(const __half* at) {
    return lockstep_half::of(__ldg(reinterpret_cast<const unsigned short*>(at)));
}
LOCKSTEP_ALONE __half2 __ldg(const __half2* at) {
    return lockstep_half::pairOf(__ldg(reinterpret_cast<const unsigned*>(at)));
}

// By comparing and swapping the word: counters are higher than those of a GPU, which adds in one instruction.
LOCKSTEP_ALONE __half2 atomicAdd(__half2* at, __half2 value) {
    unsigned* const word = reinterpret_cast<unsigned*>(at);
    unsigned old = *(volatile unsigned*)word, seen;
    do {
        seen = old;
        old = atomicCAS(word, seen, lockstep_half::wordOf(__hadd2(lockstep_half::pairOf(seen), value)));
    } while (old != seen);
    return lockstep_half::pairOf(old);
}
LOCKSTEP_ALONE __half atomicAdd(__half* at, __half value) {
    const size_t address = reinterpret_cast<size_t>(at);
    unsigned* const word = reinterpret_cast<unsigned*>(address & ~size_t(3));
    const unsigned shift = address & 2 ? 16 : 0;
    unsigned old = *(volatile unsigned*)word, seen;
    do {
        seen = old;
        const unsigned short sum = __hadd(lockstep_half::of((unsigned short)(seen >> shift)), value).__x;
        old = atomicCAS(word, seen, (seen & ~(0xffffu << shift)) | (unsigned)sum << shift);
    } while (old != seen);
    return lockstep_half::of((unsigned short)(old >> shift));
}
