// Loads and stores that say how to cache what they access: __ldcg(), __stcs() and their kin.
#pragma once

#define LOCKSTEP_HINT static inline __device__ __attribute__((always_inline, nodebug))

// T: what is pointed to; R: a type of registers for it, of the constraint c.
#define LOCKSTEP_LOAD_1(hint, T, R, c, ptx)                                                    \
    LOCKSTEP_HINT T __ld##hint(const T* at) {                                                  \
        R x;                                                                                   \
        asm volatile("ld.global." #hint "." ptx " %0, [%1];" : "=" c(x) : "l"(at) : "memory"); \
        return (T)x;                                                                           \
    }
#define LOCKSTEP_LOAD_2(hint, T, R, c, ptx)                           \
    LOCKSTEP_HINT T __ld##hint(const T* at) {                         \
        R x, y;                                                       \
        asm volatile("ld.global." #hint ".v2." ptx " {%0, %1}, [%2];" \
                     : "=" c(x), "=" c(y)                             \
                     : "l"(at)                                        \
                     : "memory");                                     \
        T value;                                                      \
        value.x = x, value.y = y;                                     \
        return value;                                                 \
    }
#define LOCKSTEP_LOAD_4(hint, T, R, c, ptx)                                   \
    LOCKSTEP_HINT T __ld##hint(const T* at) {                                 \
        R x, y, z, w;                                                         \
        asm volatile("ld.global." #hint ".v4." ptx " {%0, %1, %2, %3}, [%4];" \
                     : "=" c(x), "=" c(y), "=" c(z), "=" c(w)                 \
                     : "l"(at)                                                \
                     : "memory");                                             \
        T value;                                                              \
        value.x = x, value.y = y, value.z = z, value.w = w;                   \
        return value;                                                         \
    }
#define LOCKSTEP_STORE_1(hint, T, R, c, ptx)                                                     \
    LOCKSTEP_HINT void __st##hint(T* at, T value) {                                              \
        asm volatile("st.global." #hint "." ptx " [%0], %1;" ::"l"(at), c((R)value) : "memory"); \
    }
#define LOCKSTEP_STORE_2(hint, T, R, c, ptx)                                                    \
    LOCKSTEP_HINT void __st##hint(T* at, T value) {                                             \
        asm volatile("st.global." #hint ".v2." ptx " [%0], {%1, %2};" ::"l"(at), c((R)value.x), \
                     c((R)value.y)                                                              \
                     : "memory");                                                               \
    }
#define LOCKSTEP_STORE_4(hint, T, R, c, ptx)                                                            \
    LOCKSTEP_HINT void __st##hint(T* at, T value) {                                                     \
        asm volatile("st.global." #hint ".v4." ptx " [%0], {%1, %2, %3, %4};" ::"l"(at), c((R)value.x), \
                     c((R)value.y), c((R)value.z), c((R)value.w)                                        \
                     : "memory");                                                                       \
    }
#define LOCKSTEP_ALL(kind, hint)                                                                             \
    LOCKSTEP_##kind##_1(hint, char, unsigned int, "r", "s8") LOCKSTEP_##kind##_1(                            \
        hint, signed char, unsigned int, "r",                                                                \
        "s8") LOCKSTEP_##kind##_1(hint, unsigned char, unsigned int, "r",                                    \
                                  "u8") LOCKSTEP_##kind##_1(hint, short, short, "h", "s16")                  \
        LOCKSTEP_##kind##_1(hint, unsigned short, unsigned short, "h", "u16") LOCKSTEP_##kind##_1(           \
            hint, int, int, "r", "s32") LOCKSTEP_##kind##_1(hint, unsigned int, unsigned int, "r", "u32")    \
            LOCKSTEP_##kind##_1(hint, long, long, "l", "s64") LOCKSTEP_##kind##_1(hint, unsigned long,       \
                                                                                  unsigned long, "l", "u64") \
                LOCKSTEP_##kind##_1(hint, long long, long long, "l", "s64") LOCKSTEP_##kind##_1(             \
                    hint, unsigned long long, unsigned long long, "l",                                       \
                    "u64") LOCKSTEP_##kind##_1(hint, float, float, "f",                                      \
                                               "f32") LOCKSTEP_##kind##_1(hint, double, double, "d", "f64")  \
                    LOCKSTEP_##kind##_2(hint, char2, unsigned int, "r", "s8") LOCKSTEP_##kind##_4(           \
                        hint, char4, unsigned int, "r",                                                      \
                        "s8") LOCKSTEP_##kind##_2(hint, uchar2, unsigned int, "r", "u8")                     \
                        LOCKSTEP_##kind##_4(hint, uchar4, unsigned int, "r", "u8") LOCKSTEP_##kind##_2(      \
                            hint, short2, short, "h", "s16")                                                 \
                            LOCKSTEP_##kind##_4(hint, short4, short, "h", "s16") LOCKSTEP_##kind##_2(        \
                                hint, ushort2, unsigned short, "h",                                          \
                                "u16") LOCKSTEP_##kind##_4(hint, ushort4, unsigned short, "h", "u16")        \
                                LOCKSTEP_##kind##_2(hint, int2, int, "r", "s32") LOCKSTEP_##kind##_4(        \
                                    hint, int4, int, "r", "s32")                                             \
                                    LOCKSTEP_##kind##_2(hint, uint2, unsigned int, "r", "u32")               \
                                        LOCKSTEP_##kind##_4(hint, uint4, unsigned int, "r", "u32")           \
                                            LOCKSTEP_##kind##_2(hint, longlong2, long long, "l", "s64")      \
                                                LOCKSTEP_##kind##_2(hint, ulonglong2, unsigned long long,    \
                                                                    "l", "u64")                              \
                                                    LOCKSTEP_##kind##_2(hint, float2, float, "f", "f32")     \
                                                        LOCKSTEP_##kind##_4(hint, float4, float, "f", "f32") \
                                                            LOCKSTEP_##kind##_2(hint, double2, double, "d",  \
                                                                                "f64")
LOCKSTEP_ALL(LOAD, ca)
LOCKSTEP_ALL(LOAD, cg)
LOCKSTEP_ALL(LOAD, cs)
LOCKSTEP_ALL(LOAD, lu)
LOCKSTEP_ALL(LOAD, cv)
LOCKSTEP_ALL(STORE, wb)
LOCKSTEP_ALL(STORE, cg)
LOCKSTEP_ALL(STORE, cs)
LOCKSTEP_ALL(STORE, wt)

#undef LOCKSTEP_ALL
#undef LOCKSTEP_LOAD_1
#undef LOCKSTEP_LOAD_2
#undef LOCKSTEP_LOAD_4
#undef LOCKSTEP_STORE_1
#undef LOCKSTEP_STORE_2
#undef LOCKSTEP_STORE_4
#undef LOCKSTEP_HINT
