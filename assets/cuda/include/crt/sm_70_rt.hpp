// Read by clang's __clang_cuda_intrinsics.h, which has just defined what __match_any_sync() and __match_all_sync() are made of.
#pragma once

#define LOCKSTEP_MATCH(type, bits, integer)                                                                                              \
    inline __device__ unsigned int __match_any_sync(unsigned int mask, type value) {                                                     \
        return __match##bits##_any_sync(mask, (integer)(value));                                                                         \
    }                                                                                                                                    \
    inline __device__ unsigned int __match_all_sync(unsigned int mask, type value, int* all) {                                           \
        return __match##bits##_all_sync(mask, (integer)(value), all);                                                                    \
    }
LOCKSTEP_MATCH(int, 32, unsigned int)
LOCKSTEP_MATCH(unsigned int, 32, unsigned int)
LOCKSTEP_MATCH(long, 64, unsigned long long)
LOCKSTEP_MATCH(unsigned long, 64, unsigned long long)
LOCKSTEP_MATCH(long long, 64, unsigned long long)
LOCKSTEP_MATCH(unsigned long long, 64, unsigned long long)
#undef LOCKSTEP_MATCH
inline __device__ unsigned int __match_any_sync(unsigned int mask, float value) {
    return __match32_any_sync(mask, __float_as_uint(value));
}
inline __device__ unsigned int __match_any_sync(unsigned int mask, double value) {
    return __match64_any_sync(mask, (unsigned long long)(__double_as_longlong(value)));
}
