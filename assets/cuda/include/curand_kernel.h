// Random numbers in kernels, under cuRAND's names: XORWOW, Philox and MRG32k3a, uniformly, normally and
// log-normally distributed. Source: cuRAND Library, "Device API". What is not here: quasirandom and MTGP32
// generators, whose tables come from the host's library, and Poisson distributions.
#pragma once

#define CURAND_KERNEL_H_

#ifndef __CUDACC_RTC__
#include "cuda_runtime.h"
#include "curand.h"
#endif
#include "lockstep_random_states.h"

#define CURAND_2POW32_INV (2.3283064e-10f)
#define CURAND_2POW32_INV_DOUBLE (2.3283064365386963e-10)
#define CURAND_2POW53_INV_DOUBLE (1.1102230246251565e-16)
#define CURAND_2PI (6.2831855f)

// ---- Uniformly distributed, in (0, 1].
namespace lockstep_random {

LOCKSTEP_RANDOM float uniform(unsigned int x) { return x * CURAND_2POW32_INV + CURAND_2POW32_INV / 2; }
// Of 53 bits.
LOCKSTEP_RANDOM double uniform(unsigned int x, unsigned int y) {
    const unsigned long long bits = x ^ (unsigned long long)y << 21;
    return bits * CURAND_2POW53_INV_DOUBLE + CURAND_2POW53_INV_DOUBLE / 2;
}

}  // namespace lockstep_random

LOCKSTEP_RANDOM float curand_uniform(curandStateXORWOW_t* state) {
    return lockstep_random::uniform(curand(state));
}
LOCKSTEP_RANDOM float curand_uniform(curandStatePhilox4_32_10_t* state) {
    return lockstep_random::uniform(curand(state));
}
LOCKSTEP_RANDOM float curand_uniform(curandStateMRG32k3a_t* state) {
    return float(lockstep_random::mrg(state) * 2.3283065498378288e-10);
}
LOCKSTEP_RANDOM float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
    const uint4 x = curand4(state);
    return make_float4(lockstep_random::uniform(x.x), lockstep_random::uniform(x.y),
                       lockstep_random::uniform(x.z), lockstep_random::uniform(x.w));
}
LOCKSTEP_RANDOM double curand_uniform_double(curandStateXORWOW_t* state) {
    const unsigned int x = curand(state), y = curand(state);
    return lockstep_random::uniform(x, y);
}
// Of 32 bits, as NVIDIA's.
LOCKSTEP_RANDOM double curand_uniform_double(curandStatePhilox4_32_10_t* state) {
    return curand(state) * CURAND_2POW32_INV_DOUBLE + CURAND_2POW32_INV_DOUBLE;
}
LOCKSTEP_RANDOM double curand_uniform_double(curandStateMRG32k3a_t* state) {
    return lockstep_random::mrg(state) * 2.3283065498378288e-10;
}
LOCKSTEP_RANDOM double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
    const uint4 x = curand4(state);
    return make_double2(lockstep_random::uniform(x.x, x.y), lockstep_random::uniform(x.z, x.w));
}

// ---- Normally distributed: Box and Muller's method makes two at a time.
namespace lockstep_random {

enum Kept { Nothing, Normal, LogNormal };

LOCKSTEP_RANDOM float2 boxMuller(float u, float angle) {
    const float radius = sqrtf(-2.0f * logf(u));
    float2 pair;
    __sincosf(angle, &pair.x, &pair.y);
    return make_float2(pair.x * radius, pair.y * radius);
}
// angle: in half turns.
LOCKSTEP_RANDOM double2 boxMuller(double u, double angle) {
    const double radius = sqrt(-2.0 * log(u));
    double2 pair;
    sincospi(angle, &pair.x, &pair.y);
    return make_double2(pair.x * radius, pair.y * radius);
}
LOCKSTEP_RANDOM float2 normals(unsigned int x, unsigned int y) {
    constexpr float kPart = CURAND_2POW32_INV * CURAND_2PI;
    return boxMuller(uniform(x), y * kPart + kPart / 2);
}
LOCKSTEP_RANDOM double2 normals(unsigned int a, unsigned int b, unsigned int c, unsigned int d) {
    const unsigned long long bits = c ^ (unsigned long long)d << 21;
    return boxMuller(uniform(a, b), bits * (2 * CURAND_2POW53_INV_DOUBLE) + CURAND_2POW53_INV_DOUBLE);
}
template <class State> LOCKSTEP_RANDOM float2 normals(State* state) {
    const unsigned int x = curand(state), y = curand(state);
    return normals(x, y);
}
LOCKSTEP_RANDOM float2 normals(curandStateMRG32k3a_t* state) {
    const float x = curand_uniform(state), y = curand_uniform(state) * CURAND_2PI;
    return boxMuller(x, y);
}
LOCKSTEP_RANDOM double2 doubleNormals(curandStateXORWOW_t* state) {
    const unsigned int a = curand(state), b = curand(state), c = curand(state), d = curand(state);
    return normals(a, b, c, d);
}
LOCKSTEP_RANDOM double2 doubleNormals(curandStatePhilox4_32_10_t* state) {
    const uint4 x = curand4(state);
    return normals(x.x, x.y, x.z, x.w);
}
LOCKSTEP_RANDOM double2 doubleNormals(curandStateMRG32k3a_t* state) {
    const double x = curand_uniform_double(state), y = curand_uniform_double(state) * 2.0;
    return boxMuller(x, y);
}

}  // namespace lockstep_random

#define LOCKSTEP_NORMAL(State)                                                                         \
    LOCKSTEP_RANDOM float2 curand_normal2(State* state) { return lockstep_random::normals(state); }    \
    LOCKSTEP_RANDOM double2 curand_normal2_double(State* state) {                                      \
        return lockstep_random::doubleNormals(state);                                                  \
    }                                                                                                  \
    LOCKSTEP_RANDOM float2 curand_log_normal2(State* state, float mean, float deviation) {             \
        const float2 pair = curand_normal2(state);                                                     \
        return make_float2(expf(mean + deviation * pair.x), expf(mean + deviation * pair.y));          \
    }                                                                                                  \
    LOCKSTEP_RANDOM double2 curand_log_normal2_double(State* state, double mean, double deviation) {   \
        const double2 pair = curand_normal2_double(state);                                             \
        return make_double2(exp(mean + deviation * pair.x), exp(mean + deviation * pair.y));           \
    }                                                                                                  \
    LOCKSTEP_RANDOM float curand_normal(State* state) {                                                \
        const bool isKept = state->boxmuller_flag == lockstep_random::Normal;                          \
        state->boxmuller_flag = isKept ? lockstep_random::Nothing : lockstep_random::Normal;           \
        if (isKept) return state->boxmuller_extra;                                                     \
        const float2 pair = curand_normal2(state);                                                     \
        state->boxmuller_extra = pair.y;                                                               \
        return pair.x;                                                                                 \
    }                                                                                                  \
    LOCKSTEP_RANDOM double curand_normal_double(State* state) {                                        \
        const bool isKept = state->boxmuller_flag_double == lockstep_random::Normal;                   \
        state->boxmuller_flag_double = isKept ? lockstep_random::Nothing : lockstep_random::Normal;    \
        if (isKept) return state->boxmuller_extra_double;                                              \
        const double2 pair = curand_normal2_double(state);                                             \
        state->boxmuller_extra_double = pair.y;                                                        \
        return pair.x;                                                                                 \
    }                                                                                                  \
    LOCKSTEP_RANDOM float curand_log_normal(State* state, float mean, float deviation) {               \
        const bool isKept = state->boxmuller_flag == lockstep_random::LogNormal;                       \
        state->boxmuller_flag = isKept ? lockstep_random::Nothing : lockstep_random::LogNormal;        \
        if (isKept) return state->boxmuller_extra;                                                     \
        const float2 pair = curand_log_normal2(state, mean, deviation);                                \
        state->boxmuller_extra = pair.y;                                                               \
        return pair.x;                                                                                 \
    }                                                                                                  \
    LOCKSTEP_RANDOM double curand_log_normal_double(State* state, double mean, double deviation) {     \
        const bool isKept = state->boxmuller_flag_double == lockstep_random::LogNormal;                \
        state->boxmuller_flag_double = isKept ? lockstep_random::Nothing : lockstep_random::LogNormal; \
        if (isKept) return state->boxmuller_extra_double;                                              \
        const double2 pair = curand_log_normal2_double(state, mean, deviation);                        \
        state->boxmuller_extra_double = pair.y;                                                        \
        return pair.x;                                                                                 \
    }
LOCKSTEP_NORMAL(curandStateXORWOW_t)
LOCKSTEP_NORMAL(curandStatePhilox4_32_10_t)
LOCKSTEP_NORMAL(curandStateMRG32k3a_t)
#undef LOCKSTEP_NORMAL

LOCKSTEP_RANDOM float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
    const uint4 x = curand4(state);
    const float2 a = lockstep_random::normals(x.x, x.y), b = lockstep_random::normals(x.z, x.w);
    return make_float4(a.x, a.y, b.x, b.y);
}
LOCKSTEP_RANDOM float4 curand_log_normal4(curandStatePhilox4_32_10_t* state, float mean, float deviation) {
    const float4 x = curand_normal4(state);
    return make_float4(expf(mean + deviation * x.x), expf(mean + deviation * x.y),
                       expf(mean + deviation * x.z), expf(mean + deviation * x.w));
}
