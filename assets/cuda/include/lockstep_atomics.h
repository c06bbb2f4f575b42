// Atomic functions of global and shared memory.
#pragma once

#define LOCKSTEP_ATOMIC static __device__ __forceinline__ __attribute__((nodebug))

#define LOCKSTEP_ATOMIC_INTEGER(type)                           \
    LOCKSTEP_ATOMIC type atomicAdd(type* at, type value) {      \
        return __atomic_fetch_add(at, value, __ATOMIC_RELAXED); \
    }                                                           \
    LOCKSTEP_ATOMIC type atomicSub(type* at, type value) {      \
        return __atomic_fetch_sub(at, value, __ATOMIC_RELAXED); \
    }                                                           \
    LOCKSTEP_ATOMIC type atomicAnd(type* at, type value) {      \
        return __atomic_fetch_and(at, value, __ATOMIC_RELAXED); \
    }                                                           \
    LOCKSTEP_ATOMIC type atomicOr(type* at, type value) {       \
        return __atomic_fetch_or(at, value, __ATOMIC_RELAXED);  \
    }                                                           \
    LOCKSTEP_ATOMIC type atomicXor(type* at, type value) {      \
        return __atomic_fetch_xor(at, value, __ATOMIC_RELAXED); \
    }                                                           \
    LOCKSTEP_ATOMIC type atomicMin(type* at, type value) {      \
        return __atomic_fetch_min(at, value, __ATOMIC_RELAXED); \
    }                                                           \
    LOCKSTEP_ATOMIC type atomicMax(type* at, type value) {      \
        return __atomic_fetch_max(at, value, __ATOMIC_RELAXED); \
    }
LOCKSTEP_ATOMIC_INTEGER(int)
LOCKSTEP_ATOMIC_INTEGER(unsigned int)
LOCKSTEP_ATOMIC_INTEGER(long long)
LOCKSTEP_ATOMIC_INTEGER(unsigned long long)
#undef LOCKSTEP_ATOMIC_INTEGER

// Exchange and compare-and-swap work on bits.
#define LOCKSTEP_ATOMIC_EXCHANGE(type, bits, letter)        \
    LOCKSTEP_ATOMIC type atomicExch(type* at, type value) { \
        type old;                                           \
        asm volatile("atom.exch.b" bits " %0, [%1], %2;"    \
                     : "=" letter(old)                      \
                     : "l"(at), letter(value)               \
                     : "memory");                           \
        return old;                                         \
    }
#define LOCKSTEP_ATOMIC_SWAP(type, bits, letter)                         \
    LOCKSTEP_ATOMIC type atomicCAS(type* at, type compare, type value) { \
        type old;                                                        \
        asm volatile("atom.cas.b" bits " %0, [%1], %2, %3;"              \
                     : "=" letter(old)                                   \
                     : "l"(at), letter(compare), letter(value)           \
                     : "memory");                                        \
        return old;                                                      \
    }
LOCKSTEP_ATOMIC_EXCHANGE(int, "32", "r")
LOCKSTEP_ATOMIC_EXCHANGE(unsigned int, "32", "r")
LOCKSTEP_ATOMIC_EXCHANGE(unsigned long long, "64", "l")
LOCKSTEP_ATOMIC_EXCHANGE(float, "32", "f")
LOCKSTEP_ATOMIC_SWAP(int, "32", "r")
LOCKSTEP_ATOMIC_SWAP(unsigned int, "32", "r")
LOCKSTEP_ATOMIC_SWAP(unsigned long long, "64", "l")
LOCKSTEP_ATOMIC_SWAP(unsigned short, "16", "h")
#undef LOCKSTEP_ATOMIC_EXCHANGE
#undef LOCKSTEP_ATOMIC_SWAP

LOCKSTEP_ATOMIC float atomicAdd(float* at, float value) { return __nvvm_atom_add_gen_f(at, value); }
LOCKSTEP_ATOMIC double atomicAdd(double* at, double value) {
    double old;
    asm volatile("atom.add.f64 %0, [%1], %2;" : "=d"(old) : "l"(at), "d"(value) : "memory");
    return old;
}
LOCKSTEP_ATOMIC unsigned int atomicInc(unsigned int* at, unsigned int most) {
    return __nvvm_atom_inc_gen_ui(at, most);
}
LOCKSTEP_ATOMIC unsigned int atomicDec(unsigned int* at, unsigned int most) {
    return __nvvm_atom_dec_gen_ui(at, most);
}

// The same seen by the block only, or by the whole system: here there is one device.
#define LOCKSTEP_ATOMIC_SCOPES(name)                                             \
    template <class T, class V> LOCKSTEP_ATOMIC T name##_block(T* at, V value) { \
        return name(at, T(value));                                               \
    }                                                                            \
    template <class T, class V> LOCKSTEP_ATOMIC T name##_system(T* at, V value) { return name(at, T(value)); }
LOCKSTEP_ATOMIC_SCOPES(atomicAdd)
LOCKSTEP_ATOMIC_SCOPES(atomicSub)
LOCKSTEP_ATOMIC_SCOPES(atomicAnd)
LOCKSTEP_ATOMIC_SCOPES(atomicOr)
LOCKSTEP_ATOMIC_SCOPES(atomicXor)
LOCKSTEP_ATOMIC_SCOPES(atomicMin)
LOCKSTEP_ATOMIC_SCOPES(atomicMax)
LOCKSTEP_ATOMIC_SCOPES(atomicExch)
LOCKSTEP_ATOMIC_SCOPES(atomicInc)
LOCKSTEP_ATOMIC_SCOPES(atomicDec)
#undef LOCKSTEP_ATOMIC_SCOPES
template <class T, class A, class B> LOCKSTEP_ATOMIC T atomicCAS_block(T* at, A compare, B value) {
    return atomicCAS(at, T(compare), T(value));
}
template <class T, class A, class B> LOCKSTEP_ATOMIC T atomicCAS_system(T* at, A compare, B value) {
    return atomicCAS(at, T(compare), T(value));
}
#undef LOCKSTEP_ATOMIC
