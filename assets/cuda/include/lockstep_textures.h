// Fetches from texture objects, and accesses to surface objects: tex2D(), surf2Dwrite() and their kin, as the
// PTX that clang has no functions for. Cubemaps and mipmapped arrays are not offered.
#pragma once

#define LOCKSTEP_TEXTURE static inline __device__ __attribute__((always_inline, nodebug))

namespace lockstep {

struct Floats {
    float x, y, z, w;
};
struct Integers {
    int x, y, z, w;
};
struct Unsigneds {
    unsigned x, y, z, w;
};

// What an element of T is fetched as: four components, of which it takes the first.
template <class T> struct Texel;
#define LOCKSTEP_TEXEL(T, V, R)                            \
    template <> struct Texel<T> {                          \
        using Raw = R;                                     \
        static __device__ T of(R raw) { return (T)raw.x; } \
    };                                                     \
    LOCKSTEP_TEXEL_VECTORS(T, V, R)
#define LOCKSTEP_TEXEL_VECTORS(T, V, R)                                                       \
    template <> struct Texel<V##1> {                                                          \
        using Raw = R;                                                                        \
        static __device__ V##1 of(R raw) { return {(T)raw.x}; }                               \
    };                                                                                        \
    template <> struct Texel<V##2> {                                                          \
        using Raw = R;                                                                        \
        static __device__ V##2 of(R raw) { return {(T)raw.x, (T)raw.y}; }                     \
    };                                                                                        \
    template <> struct Texel<V##4> {                                                          \
        using Raw = R;                                                                        \
        static __device__ V##4 of(R raw) { return {(T)raw.x, (T)raw.y, (T)raw.z, (T)raw.w}; } \
    };
LOCKSTEP_TEXEL(signed char, char, Integers)
LOCKSTEP_TEXEL(unsigned char, uchar, Unsigneds)
LOCKSTEP_TEXEL(short, short, Integers)
LOCKSTEP_TEXEL(unsigned short, ushort, Unsigneds)
LOCKSTEP_TEXEL(int, int, Integers)
LOCKSTEP_TEXEL(unsigned int, uint, Unsigneds)
LOCKSTEP_TEXEL(float, float, Floats)
template <> struct Texel<char> {
    using Raw = Integers;
    static __device__ char of(Raw raw) { return (char)raw.x; }
};
#undef LOCKSTEP_TEXEL
#undef LOCKSTEP_TEXEL_VECTORS

// name: of the instruction; coordinates: as %5 and on, which `...` gives.
#define LOCKSTEP_FETCH_AS(function, name, R, type, c, parameters, coordinates, ...)                \
    LOCKSTEP_TEXTURE void function(R& raw, cudaTextureObject_t object, LOCKSTEP_LIST parameters) { \
        asm(name "." type coordinates                                                              \
            : "=" c(raw.x), "=" c(raw.y), "=" c(raw.z), "=" c(raw.w)                               \
            : "l"(object), __VA_ARGS__);                                                           \
    }
#define LOCKSTEP_LIST(...) __VA_ARGS__
#define LOCKSTEP_FETCH(function, name, parameters, coordinates, ...)                              \
    LOCKSTEP_FETCH_AS(function, name, Floats, "f32", "f", parameters, coordinates, __VA_ARGS__)   \
    LOCKSTEP_FETCH_AS(function, name, Integers, "s32", "r", parameters, coordinates, __VA_ARGS__) \
    LOCKSTEP_FETCH_AS(function, name, Unsigneds, "u32", "r", parameters, coordinates, __VA_ARGS__)

LOCKSTEP_FETCH(fetchElement, "tex.1d.v4", (int x), ".s32 {%0, %1, %2, %3}, [%4, {%5}];", "r"(x))
LOCKSTEP_FETCH(fetch1D, "tex.1d.v4", (float x), ".f32 {%0, %1, %2, %3}, [%4, {%5}];", "f"(x))
LOCKSTEP_FETCH(fetch2D, "tex.2d.v4", (float x, float y), ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}];", "f"(x),
               "f"(y))
LOCKSTEP_FETCH(fetch3D, "tex.3d.v4", (float x, float y, float z),
               ".f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];", "f"(x), "f"(y), "f"(z))
LOCKSTEP_FETCH(fetch1DLayered, "tex.a1d.v4", (float x, int layer), ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}];",
               "r"(layer), "f"(x))
LOCKSTEP_FETCH(fetch2DLayered, "tex.a2d.v4", (float x, float y, int layer),
               ".f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];", "r"(layer), "f"(x), "f"(y))
LOCKSTEP_FETCH(fetch1DLod, "tex.level.1d.v4", (float x, float level),
               ".f32 {%0, %1, %2, %3}, [%4, {%5}], %6;", "f"(x), "f"(level))
LOCKSTEP_FETCH(fetch2DLod, "tex.level.2d.v4", (float x, float y, float level),
               ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}], %7;", "f"(x), "f"(y), "f"(level))
LOCKSTEP_FETCH(fetch3DLod, "tex.level.3d.v4", (float x, float y, float z, float level),
               ".f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}], %8;", "f"(x), "f"(y), "f"(z), "f"(level))
LOCKSTEP_FETCH(fetch1DLayeredLod, "tex.level.a1d.v4", (float x, int layer, float level),
               ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}], %7;", "r"(layer), "f"(x), "f"(level))
LOCKSTEP_FETCH(fetch2DLayeredLod, "tex.level.a2d.v4", (float x, float y, int layer, float level),
               ".f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}], %8;", "r"(layer), "f"(x), "f"(y), "f"(level))
LOCKSTEP_FETCH(fetch1DGrad, "tex.grad.1d.v4", (float x, float dx, float dy),
               ".f32 {%0, %1, %2, %3}, [%4, {%5}], {%6}, {%7};", "f"(x), "f"(dx), "f"(dy))
LOCKSTEP_FETCH(fetch2DGrad, "tex.grad.2d.v4", (float x, float y, float2 dx, float2 dy),
               ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}], {%7, %8}, {%9, %10};", "f"(x), "f"(y), "f"(dx.x),
               "f"(dx.y), "f"(dy.x), "f"(dy.y))
LOCKSTEP_FETCH(gather_r, "tld4.r.2d.v4", (float x, float y), ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}];", "f"(x),
               "f"(y))
LOCKSTEP_FETCH(gather_g, "tld4.g.2d.v4", (float x, float y), ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}];", "f"(x),
               "f"(y))
LOCKSTEP_FETCH(gather_b, "tld4.b.2d.v4", (float x, float y), ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}];", "f"(x),
               "f"(y))
LOCKSTEP_FETCH(gather_a, "tld4.a.2d.v4", (float x, float y), ".f32 {%0, %1, %2, %3}, [%4, {%5, %6}];", "f"(x),
               "f"(y))

#undef LOCKSTEP_FETCH
#undef LOCKSTEP_FETCH_AS
#undef LOCKSTEP_LIST

template <class R>
LOCKSTEP_TEXTURE void gather(R& raw, cudaTextureObject_t object, float x, float y, int component) {
    switch (component) {
        case 1: gather_g(raw, object, x, y); break;
        case 2: gather_b(raw, object, x, y); break;
        case 3: gather_a(raw, object, x, y); break;
        default: gather_r(raw, object, x, y);
    }
}

}  // namespace lockstep

#define LOCKSTEP_TEXTURE_FUNCTION(name, function, parameters, arguments)                               \
    template <class T> LOCKSTEP_TEXTURE T name(cudaTextureObject_t object, LOCKSTEP_LIST parameters) { \
        typename lockstep::Texel<T>::Raw raw;                                                          \
        lockstep::function(raw, object, LOCKSTEP_LIST arguments);                                      \
        return lockstep::Texel<T>::of(raw);                                                            \
    }                                                                                                  \
    template <class T>                                                                                 \
    LOCKSTEP_TEXTURE void name(T* result, cudaTextureObject_t object, LOCKSTEP_LIST parameters) {      \
        *result = name<T>(object, LOCKSTEP_LIST arguments);                                            \
    }
#define LOCKSTEP_LIST(...) __VA_ARGS__
LOCKSTEP_TEXTURE_FUNCTION(tex1Dfetch, fetchElement, (int x), (x))
LOCKSTEP_TEXTURE_FUNCTION(tex1D, fetch1D, (float x), (x))
LOCKSTEP_TEXTURE_FUNCTION(tex2D, fetch2D, (float x, float y), (x, y))
LOCKSTEP_TEXTURE_FUNCTION(tex3D, fetch3D, (float x, float y, float z), (x, y, z))
LOCKSTEP_TEXTURE_FUNCTION(tex1DLayered, fetch1DLayered, (float x, int layer), (x, layer))
LOCKSTEP_TEXTURE_FUNCTION(tex2DLayered, fetch2DLayered, (float x, float y, int layer), (x, y, layer))
LOCKSTEP_TEXTURE_FUNCTION(tex1DLod, fetch1DLod, (float x, float level), (x, level))
LOCKSTEP_TEXTURE_FUNCTION(tex2DLod, fetch2DLod, (float x, float y, float level), (x, y, level))
LOCKSTEP_TEXTURE_FUNCTION(tex3DLod, fetch3DLod, (float x, float y, float z, float level), (x, y, z, level))
LOCKSTEP_TEXTURE_FUNCTION(tex1DLayeredLod, fetch1DLayeredLod, (float x, int layer, float level),
                          (x, layer, level))
LOCKSTEP_TEXTURE_FUNCTION(tex2DLayeredLod, fetch2DLayeredLod, (float x, float y, int layer, float level),
                          (x, y, layer, level))
LOCKSTEP_TEXTURE_FUNCTION(tex1DGrad, fetch1DGrad, (float x, float dx, float dy), (x, dx, dy))
LOCKSTEP_TEXTURE_FUNCTION(tex2DGrad, fetch2DGrad, (float x, float y, float2 dx, float2 dy), (x, y, dx, dy))
LOCKSTEP_TEXTURE_FUNCTION(tex2Dgather, gather, (float x, float y, int component = 0), (x, y, component))
#undef LOCKSTEP_TEXTURE_FUNCTION

namespace lockstep {

// What an access of so many bytes is made of.
template <int bytes> struct SurfaceWords;
template <> struct SurfaceWords<1> {
    unsigned short x;
};
template <> struct SurfaceWords<2> {
    unsigned short x;
};
template <> struct SurfaceWords<4> {
    unsigned x;
};
template <> struct SurfaceWords<8> {
    unsigned x, y;
};
template <> struct SurfaceWords<16> {
    unsigned x, y, z, w;
};

// The boundary mode is part of the instruction.
#define LOCKSTEP_BY_MODE(ACCESS, ...)       \
    if (mode == cudaBoundaryModeTrap)       \
        ACCESS("trap", __VA_ARGS__);        \
    else if (mode == cudaBoundaryModeClamp) \
        ACCESS("clamp", __VA_ARGS__);       \
    else                                    \
        ACCESS("zero", __VA_ARGS__)

// ...: the coordinates, as `place` names them.
#define LOCKSTEP_LOAD_1(boundary, ptx, type, k, place, ...)                           \
    asm volatile("suld.b." ptx "." type "." boundary " %[a], [%[object], " place "];" \
                 : [a] "=" k(words.x)                                                 \
                 : [object] "l"(object), __VA_ARGS__                                  \
                 : "memory")
#define LOCKSTEP_LOAD_2(boundary, ptx, type, k, place, ...)                                      \
    asm volatile("suld.b." ptx ".v2." type "." boundary " {%[a], %[b]}, [%[object], " place "];" \
                 : [a] "=" k(words.x), [b] "=" k(words.y)                                        \
                 : [object] "l"(object), __VA_ARGS__                                             \
                 : "memory")
#define LOCKSTEP_LOAD_4(boundary, ptx, type, k, place, ...)                                                  \
    asm volatile("suld.b." ptx ".v4." type "." boundary " {%[a], %[b], %[c], %[d]}, [%[object], " place "];" \
                 : [a] "=" k(words.x), [b] "=" k(words.y), [c] "=" k(words.z), [d] "=" k(words.w)            \
                 : [object] "l"(object), __VA_ARGS__                                                         \
                 : "memory")
#define LOCKSTEP_STORE_1(boundary, ptx, type, k, place, ...)                                            \
    asm volatile("sust.b." ptx "." type "." boundary " [%[object], " place "], %[a];" ::[a] k(words.x), \
                 [object] "l"(object), __VA_ARGS__                                                      \
                 : "memory")
#define LOCKSTEP_STORE_2(boundary, ptx, type, k, place, ...)                  \
    asm volatile("sust.b." ptx ".v2." type "." boundary " [%[object], " place \
                 "], {%[a], %[b]};" ::[a] k(words.x),                         \
                 [b] k(words.y), [object] "l"(object), __VA_ARGS__            \
                 : "memory")
#define LOCKSTEP_STORE_4(boundary, ptx, type, k, place, ...)                                       \
    asm volatile("sust.b." ptx ".v4." type "." boundary " [%[object], " place                      \
                 "], {%[a], %[b], %[c], %[d]};" ::[a] k(words.x),                                  \
                 [b] k(words.y), [c] k(words.z), [d] k(words.w), [object] "l"(object), __VA_ARGS__ \
                 : "memory")

#define LOCKSTEP_ACCESS(bytes, words_, name, ptx, type, k, place, parameters, ...)              \
    LOCKSTEP_TEXTURE void load##name(SurfaceWords<bytes>& words, cudaSurfaceObject_t object,    \
                                     LOCKSTEP_LIST parameters, cudaSurfaceBoundaryMode mode) {  \
        LOCKSTEP_BY_MODE(LOCKSTEP_LOAD_##words_, ptx, type, k, place, __VA_ARGS__);             \
    }                                                                                           \
    LOCKSTEP_TEXTURE void store##name(SurfaceWords<bytes> words, cudaSurfaceObject_t object,    \
                                      LOCKSTEP_LIST parameters, cudaSurfaceBoundaryMode mode) { \
        LOCKSTEP_BY_MODE(LOCKSTEP_STORE_##words_, ptx, type, k, place, __VA_ARGS__);            \
    }
#define LOCKSTEP_SURFACE(name, ptx, place, parameters, ...)                      \
    LOCKSTEP_ACCESS(1, 1, name, ptx, "b8", "h", place, parameters, __VA_ARGS__)  \
    LOCKSTEP_ACCESS(2, 1, name, ptx, "b16", "h", place, parameters, __VA_ARGS__) \
    LOCKSTEP_ACCESS(4, 1, name, ptx, "b32", "r", place, parameters, __VA_ARGS__) \
    LOCKSTEP_ACCESS(8, 2, name, ptx, "b32", "r", place, parameters, __VA_ARGS__) \
    LOCKSTEP_ACCESS(16, 4, name, ptx, "b32", "r", place, parameters, __VA_ARGS__)
LOCKSTEP_SURFACE(1D, "1d", "{%[x]}", (int x), [x] "r"(x))
LOCKSTEP_SURFACE(2D, "2d", "{%[x], %[y]}", (int x, int y), [x] "r"(x), [y] "r"(y))
LOCKSTEP_SURFACE(3D, "3d", "{%[x], %[y], %[z], %[z]}",
                 (int x, int y, int z), [x] "r"(x), [y] "r"(y), [z] "r"(z))
LOCKSTEP_SURFACE(1DLayered, "a1d", "{%[l], %[x]}", (int x, int layer), [l] "r"(layer), [x] "r"(x))
LOCKSTEP_SURFACE(2DLayered, "a2d", "{%[l], %[x], %[y], %[y]}",
                 (int x, int y, int layer), [l] "r"(layer), [x] "r"(x), [y] "r"(y))
#undef LOCKSTEP_SURFACE
#undef LOCKSTEP_ACCESS
#undef LOCKSTEP_STORE_4
#undef LOCKSTEP_STORE_2
#undef LOCKSTEP_STORE_1
#undef LOCKSTEP_LOAD_4
#undef LOCKSTEP_LOAD_2
#undef LOCKSTEP_LOAD_1
#undef LOCKSTEP_BY_MODE

}  // namespace lockstep

// x is in bytes.
#define LOCKSTEP_SURFACE_FUNCTION(name, parameters, arguments)                                              \
    template <class T>                                                                                      \
    LOCKSTEP_TEXTURE T surf##name##read(cudaSurfaceObject_t object, LOCKSTEP_LIST parameters,               \
                                        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {              \
        lockstep::SurfaceWords<sizeof(T)> words;                                                            \
        lockstep::load##name(words, object, LOCKSTEP_LIST arguments, mode);                                 \
        T value;                                                                                            \
        __builtin_memcpy(&value, &words, sizeof value);                                                     \
        return value;                                                                                       \
    }                                                                                                       \
    template <class T>                                                                                      \
    LOCKSTEP_TEXTURE void surf##name##read(T* result, cudaSurfaceObject_t object, LOCKSTEP_LIST parameters, \
                                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {           \
        *result = surf##name##read<T>(object, LOCKSTEP_LIST arguments, mode);                               \
    }                                                                                                       \
    template <class T>                                                                                      \
    LOCKSTEP_TEXTURE void surf##name##write(T value, cudaSurfaceObject_t object, LOCKSTEP_LIST parameters,  \
                                            cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {          \
        lockstep::SurfaceWords<sizeof(T)> words;                                                            \
        __builtin_memcpy(&words, &value, sizeof value);                                                     \
        lockstep::store##name(words, object, LOCKSTEP_LIST arguments, mode);                                \
    }
LOCKSTEP_SURFACE_FUNCTION(1D, (int x), (x))
LOCKSTEP_SURFACE_FUNCTION(2D, (int x, int y), (x, y))
LOCKSTEP_SURFACE_FUNCTION(3D, (int x, int y, int z), (x, y, z))
LOCKSTEP_SURFACE_FUNCTION(1DLayered, (int x, int layer), (x, layer))
LOCKSTEP_SURFACE_FUNCTION(2DLayered, (int x, int y, int layer), (x, y, layer))

#undef LOCKSTEP_SURFACE_FUNCTION
#undef LOCKSTEP_LIST
#undef LOCKSTEP_TEXTURE
