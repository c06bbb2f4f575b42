// The generators of cuRAND's device interface: XORWOW (Marsaglia 2003), Philox4x32-10 (Salmon et al. 2011)
// and MRG32k3a (L'Ecuyer 1999), seeded and cut into subsequences as NVIDIA's are, so that the same numbers
// come out.
#pragma once

#include "lockstep_random_jumps.h"

#define LOCKSTEP_RANDOM static __device__ __forceinline__

// What is left of a pair of normally distributed numbers.
#define LOCKSTEP_RANDOM_PAIR                   \
    int boxmuller_flag, boxmuller_flag_double; \
    float boxmuller_extra;                     \
    double boxmuller_extra_double

struct curandStateXORWOW {
    unsigned int d, v[5];
    LOCKSTEP_RANDOM_PAIR;
};
struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned int STATE;  // which of the output comes next
    LOCKSTEP_RANDOM_PAIR;
};
struct curandStateMRG32k3a {
    unsigned int s1[3], s2[3];
    LOCKSTEP_RANDOM_PAIR;
};
#undef LOCKSTEP_RANDOM_PAIR
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStateXORWOW curandState_t;
typedef curandStateXORWOW curandState;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;

namespace lockstep_random {

template <class State> LOCKSTEP_RANDOM void forget(State* pair) {
    pair->boxmuller_flag = pair->boxmuller_flag_double = 0;
    pair->boxmuller_extra = 0;
    pair->boxmuller_extra_double = 0;
}

}  // namespace lockstep_random

// ---- XORWOW
LOCKSTEP_RANDOM unsigned int curand(curandStateXORWOW_t* state) {
    unsigned int* const v = state->v;
    const unsigned int t = v[0] ^ (v[0] >> 2);
    v[0] = v[1], v[1] = v[2], v[2] = v[3], v[3] = v[4];
    v[4] ^= (v[4] << 4) ^ t ^ (t << 1);
    state->d += 362437;
    return v[4] + state->d;
}

namespace lockstep_random {

// The shift register's state after x^n steps, x^n as one of the tables has it.
LOCKSTEP_RANDOM void jump(unsigned int* state, const unsigned int* power) {
    unsigned int v0 = state[0], v1 = state[1], v2 = state[2], v3 = state[3], v4 = state[4];
    unsigned int r0 = 0, r1 = 0, r2 = 0, r3 = 0, r4 = 0;
    for (int word = 0; word < 5; ++word) {
        unsigned int bits = power[word];
        for (int i = 0; i < 32; ++i, bits >>= 1) {
            const unsigned int mask = 0u - (bits & 1);
            r0 ^= v0 & mask, r1 ^= v1 & mask, r2 ^= v2 & mask, r3 ^= v3 & mask, r4 ^= v4 & mask;
            const unsigned int t = v0 ^ (v0 >> 2);
            v0 = v1, v1 = v2, v2 = v3, v3 = v4;
            v4 ^= (v4 << 4) ^ t ^ (t << 1);
        }
    }
    state[0] = r0, state[1] = r1, state[2] = r2, state[3] = r3, state[4] = r4;
}

}  // namespace lockstep_random

LOCKSTEP_RANDOM void skipahead(unsigned long long n, curandStateXORWOW_t* state) {
    state->d += 362437u * (unsigned int)n;
    for (int place = 0; n; ++place, n >>= 1)
        if (n & 1) lockstep_random::jump(state->v, lockstep_random::kOffsets + 5 * place);
}
// By 2^67 n steps, after which d is what it was.
LOCKSTEP_RANDOM void skipahead_sequence(unsigned long long n, curandStateXORWOW_t* state) {
    for (int place = 0; n; ++place, n >>= 4)
        if (const unsigned int digit = n & 15)
            lockstep_random::jump(state->v,
                                  lockstep_random::kSubsequences + 5 * (15 * place + int(digit) - 1));
}
LOCKSTEP_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence,
                                 unsigned long long offset, curandStateXORWOW_t* state) {
    const unsigned int a = 1099087573u * ((unsigned int)seed ^ 0xaad26b49u),
                       b = 2591861531u * ((unsigned int)(seed >> 32) ^ 0xf7dcefddu);
    state->d = 6615241 + b + a;
    state->v[0] = 123456789 + a;
    state->v[1] = 362436069 ^ a;
    state->v[2] = 521288629 + b;
    state->v[3] = 88675123 ^ b;
    state->v[4] = 5783321 + a;
    if (subsequence) skipahead_sequence(subsequence, state);
    if (offset) skipahead(offset, state);
    lockstep_random::forget(state);
}

// ---- Philox4x32-10
namespace lockstep_random {

LOCKSTEP_RANDOM uint4 philox(uint4 counter, uint2 key) {
    for (int round = 0; round < 10; ++round) {
        const unsigned int low0 = 0xd2511f53u * counter.x, high0 = __umulhi(0xd2511f53u, counter.x),
                           low1 = 0xcd9e8d57u * counter.z, high1 = __umulhi(0xcd9e8d57u, counter.z);
        counter = make_uint4(high1 ^ counter.y ^ key.x, low1, high0 ^ counter.w ^ key.y, low0);
        key.x += 0x9e3779b9u, key.y += 0xbb67ae85u;
    }
    return counter;
}
// Adds to the counter's two words from a place on, and carries.
LOCKSTEP_RANDOM void count(unsigned int& low, unsigned int& high, unsigned long long n, bool& carries) {
    const unsigned long long before = (unsigned long long)high << 32 | low, after = before + n;
    low = (unsigned int)after, high = (unsigned int)(after >> 32);
    carries = after < before;
}
LOCKSTEP_RANDOM void advance(curandStatePhilox4_32_10_t* state, unsigned long long n) {
    bool carries;
    count(state->ctr.x, state->ctr.y, n, carries);
    if (carries) count(state->ctr.z, state->ctr.w, 1, carries);
}

}  // namespace lockstep_random

LOCKSTEP_RANDOM unsigned int curand(curandStatePhilox4_32_10_t* state) {
    const uint4 output = state->output;
    const unsigned int at = state->STATE, value = at == 0   ? output.x
                                                  : at == 1 ? output.y
                                                  : at == 2 ? output.z
                                                            : output.w;
    state->STATE = (at + 1) & 3;
    if (at == 3) {
        lockstep_random::advance(state, 1);
        state->output = lockstep_random::philox(state->ctr, state->key);
    }
    return value;
}
LOCKSTEP_RANDOM uint4 curand4(curandStatePhilox4_32_10_t* state) {
    const uint4 a = state->output;
    lockstep_random::advance(state, 1);
    state->output = lockstep_random::philox(state->ctr, state->key);
    const uint4 b = state->output;
    switch (state->STATE) {
        case 1: return make_uint4(a.y, a.z, a.w, b.x);
        case 2: return make_uint4(a.z, a.w, b.x, b.y);
        case 3: return make_uint4(a.w, b.x, b.y, b.z);
        default: return a;
    }
}
LOCKSTEP_RANDOM void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* state) {
    const unsigned int at = state->STATE + (n & 3);
    state->STATE = at & 3;
    lockstep_random::advance(state, n / 4 + at / 4);
    state->output = lockstep_random::philox(state->ctr, state->key);
}
// By 2^66 n numbers.
LOCKSTEP_RANDOM void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t* state) {
    bool carries;
    lockstep_random::count(state->ctr.z, state->ctr.w, n, carries);
    state->output = lockstep_random::philox(state->ctr, state->key);
}
LOCKSTEP_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence,
                                 unsigned long long offset, curandStatePhilox4_32_10_t* state) {
    state->ctr = make_uint4(0, 0, 0, 0);
    state->key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
    state->STATE = 0;
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
    lockstep_random::forget(state);
}

// ---- MRG32k3a
namespace lockstep_random {

typedef unsigned long long u64;
constexpr u64 kModulus1 = 4294967087ull, kModulus2 = 4294944443ull;

// One step of each recurrence.
struct Matrices {
    unsigned int first[9], second[9];
};
// By one step, 2^76 and 2^127: powers of the first.
static __device__ const Matrices kSteps[3] = {
    {{0, 1, 0, 0, 0, 1, 4294156359u, 1403580, 0}, {0, 1, 0, 0, 0, 1, 4293573854u, 0, 527612}},
    {{82758667, 1871391091, 4127413238u, 3672831523u, 69195019, 1871391091, 3672091415u, 3528743235u,
      69195019},
     {1511326704, 3759209742u, 1610795712, 4292754251u, 1511326704, 3889917532u, 3859662829u, 4292754251u,
      3708466080u}},
    {{2427906178u, 3580155704u, 949770784, 226153695, 1230515664, 3580155704u, 1988835001, 986791581,
      1230515664},
     {1464411153, 277697599, 1610723613, 32183930, 1464411153, 1022607788, 2824425944u, 32183930,
      2093834863}},
};

// The sum of three products of words is less than 2^66: each is reduced by itself.
LOCKSTEP_RANDOM unsigned int row(const unsigned int* a, u64 x, u64 y, u64 z, u64 modulus) {
    return (unsigned int)((a[0] * x % modulus + a[1] * y % modulus + a[2] * z % modulus) % modulus);
}
LOCKSTEP_RANDOM void multiplyBy(unsigned int* state, unsigned long long n, const unsigned int* matrix,
                                u64 modulus) {
    unsigned int power[9];
    for (int i = 0; i < 9; ++i)
        power[i] = matrix[i];
    for (;;) {
        if (n & 1) {
            const unsigned int x = state[0], y = state[1], z = state[2];
            for (int i = 0; i < 3; ++i)
                state[i] = row(power + 3 * i, x, y, z, modulus);
        }
        n >>= 1;
        if (!n) return;
        unsigned int square[9];
        for (int i = 0; i < 9; ++i)
            square[i] = row(power + i / 3 * 3, power[i % 3], power[3 + i % 3], power[6 + i % 3], modulus);
        for (int i = 0; i < 9; ++i)
            power[i] = square[i];
    }
}
LOCKSTEP_RANDOM void skip(curandStateMRG32k3a_t* state, unsigned long long n, int step) {
    if (!n) return;
    multiplyBy(state->s1, n, kSteps[step].first, kModulus1);
    multiplyBy(state->s2, n, kSteps[step].second, kModulus2);
}
// From 1 to the first modulus.
LOCKSTEP_RANDOM double mrg(curandStateMRG32k3a_t* state) {
    unsigned int *const a = state->s1, *const b = state->s2;
    const u64 p = (1403580ull * a[1] + 810728ull * (kModulus1 - a[0])) % kModulus1,
              q = (527612ull * b[2] + 1370589ull * (kModulus2 - b[0])) % kModulus2;
    a[0] = a[1], a[1] = a[2], a[2] = (unsigned int)p;
    b[0] = b[1], b[1] = b[2], b[2] = (unsigned int)q;
    return double(p <= q ? p + kModulus1 - q : p - q);
}

}  // namespace lockstep_random

LOCKSTEP_RANDOM unsigned int curand(curandStateMRG32k3a_t* state) {
    return (unsigned int)(lockstep_random::mrg(state) * 1.000000048662);
}
LOCKSTEP_RANDOM void skipahead(unsigned long long n, curandStateMRG32k3a_t* state) {
    lockstep_random::skip(state, n, 0);
}
LOCKSTEP_RANDOM void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t* state) {
    lockstep_random::skip(state, n, 1);
}
LOCKSTEP_RANDOM void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t* state) {
    lockstep_random::skip(state, n, 2);
}
LOCKSTEP_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence,
                                 unsigned long long offset, curandStateMRG32k3a_t* state) {
    const lockstep_random::u64 low = (unsigned int)seed ^ 0x55555555u,
                               high = (unsigned int)(seed >> 32) ^ 0xaaaaaaaau;
    for (int i = 0; i < 3; ++i) {
        state->s1[i] = state->s2[i] = 12345;
        if (!seed) continue;
        state->s1[i] = (unsigned int)(12345 * (i == 1 ? high : low) % lockstep_random::kModulus1);
        state->s2[i] = (unsigned int)(12345 * (i == 1 ? low : high) % lockstep_random::kModulus2);
    }
    skipahead_subsequence(subsequence, state);
    skipahead(offset, state);
    lockstep_random::forget(state);
}
