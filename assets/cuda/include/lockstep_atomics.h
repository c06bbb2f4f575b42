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

// The same seen by the block only: here it makes no difference.
#define LOCKSTEP_ATOMIC_OF_BLOCK(name) \
    template <class T, class V> LOCKSTEP_ATOMIC T name##_block(T* at, V value) { return name(at, T(value)); }
LOCKSTEP_ATOMIC_OF_BLOCK(atomicAdd)
LOCKSTEP_ATOMIC_OF_BLOCK(atomicSub)
LOCKSTEP_ATOMIC_OF_BLOCK(atomicAnd)
LOCKSTEP_ATOMIC_OF_BLOCK(atomicOr)
LOCKSTEP_ATOMIC_OF_BLOCK(atomicXor)
LOCKSTEP_ATOMIC_OF_BLOCK(atomicMin)
LOCKSTEP_ATOMIC_OF_BLOCK(atomicMax)
LOCKSTEP_ATOMIC_OF_BLOCK(atomicExch)
LOCKSTEP_ATOMIC_OF_BLOCK(atomicInc)
LOCKSTEP_ATOMIC_OF_BLOCK(atomicDec)
#undef LOCKSTEP_ATOMIC_OF_BLOCK
template <class T, class A, class B> LOCKSTEP_ATOMIC T atomicCAS_block(T* at, A compare, B value) {
    return atomicCAS(at, T(compare), T(value));
}

// Seen by the whole system: host code may look at these places, and change them, while the kernel runs.
#define LOCKSTEP_ATOMIC_OF_SYSTEM(name, operation, type, letter) \
    LOCKSTEP_ATOMIC type name##_system(type* at, type value) {   \
        type old;                                                \
        asm volatile("atom.sys." operation " %0, [%1], %2;"      \
                     : "=" letter(old)                           \
                     : "l"(at), letter(value)                    \
                     : "memory");                                \
        return old;                                              \
    }
#define LOCKSTEP_ATOMIC_OF_SYSTEM_INTEGER(type, isSigned, bits, letter)         \
    LOCKSTEP_ATOMIC_OF_SYSTEM(atomicAdd, "add.u" bits, type, letter)            \
    LOCKSTEP_ATOMIC_OF_SYSTEM(atomicAnd, "and.b" bits, type, letter)            \
    LOCKSTEP_ATOMIC_OF_SYSTEM(atomicOr, "or.b" bits, type, letter)              \
    LOCKSTEP_ATOMIC_OF_SYSTEM(atomicXor, "xor.b" bits, type, letter)            \
    LOCKSTEP_ATOMIC_OF_SYSTEM(atomicMin, "min." isSigned bits, type, letter)    \
    LOCKSTEP_ATOMIC_OF_SYSTEM(atomicMax, "max." isSigned bits, type, letter)    \
    LOCKSTEP_ATOMIC_OF_SYSTEM(atomicExch, "exch.b" bits, type, letter)          \
    LOCKSTEP_ATOMIC type atomicSub_system(type* at, type value) {               \
        return atomicAdd_system(at, (type)(0 - value));                         \
    }                                                                           \
    LOCKSTEP_ATOMIC type atomicCAS_system(type* at, type compare, type value) { \
        type old;                                                               \
        asm volatile("atom.sys.cas.b" bits " %0, [%1], %2, %3;"                 \
                     : "=" letter(old)                                          \
                     : "l"(at), letter(compare), letter(value)                  \
                     : "memory");                                               \
        return old;                                                             \
    }
LOCKSTEP_ATOMIC_OF_SYSTEM_INTEGER(int, "s", "32", "r")
LOCKSTEP_ATOMIC_OF_SYSTEM_INTEGER(unsigned int, "u", "32", "r")
LOCKSTEP_ATOMIC_OF_SYSTEM_INTEGER(long long, "s", "64", "l")
LOCKSTEP_ATOMIC_OF_SYSTEM_INTEGER(unsigned long long, "u", "64", "l")
LOCKSTEP_ATOMIC_OF_SYSTEM(atomicAdd, "add.f32", float, "f")
LOCKSTEP_ATOMIC_OF_SYSTEM(atomicAdd, "add.f64", double, "d")
LOCKSTEP_ATOMIC_OF_SYSTEM(atomicExch, "exch.b32", float, "f")
LOCKSTEP_ATOMIC_OF_SYSTEM(atomicInc, "inc.u32", unsigned int, "r")
LOCKSTEP_ATOMIC_OF_SYSTEM(atomicDec, "dec.u32", unsigned int, "r")
#undef LOCKSTEP_ATOMIC_OF_SYSTEM_INTEGER
#undef LOCKSTEP_ATOMIC_OF_SYSTEM
#undef LOCKSTEP_ATOMIC
