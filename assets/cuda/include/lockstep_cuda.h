// Read before every program of `lockstep exec`: CUDA for clang without a CUDA toolkit. Device functions are
// those of clang's own headers; what they take from NVIDIA's libdevice is in lockstep_libdevice.h, or
// computed by the emulator.
#pragma once

#if !defined(__CUDA__) || !defined(__clang__)
#error "these headers are for clang -x cuda"
#endif

// The order is clang's: its own wrapper reads them so.
// clang-format off
#include <__clang_cuda_math_forward_declares.h>

#define __CUDACC__
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmath>
#include <cstdlib>
#include <new>
#include <utility>

#include "cuda_version.h"
#include "host_defines.h"

#pragma push_macro("__CUDA_ARCH__")
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 9999
#endif

#include <__clang_cuda_builtin_vars.h>
#define __DEVICE_LAUNCH_PARAMETERS_H__

#include "cuda_runtime.h"

#include <__clang_cuda_libdevice_declares.h>
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>
#include "lockstep_libdevice.h"
// clang-format on

typedef unsigned int cuuint32_t;  // for clang's headers
typedef unsigned long long cuuint64_t;

extern "C" {
__device__ int vprintf(const char*, const char*);
__device__ void free(void*) __attribute((nothrow));
__device__ void* malloc(size_t) __attribute((nothrow)) __attribute__((malloc));
__device__ void __assertfail(const char* message, const char* file, unsigned line, const char* function,
                             size_t charSize);
__device__ static inline void __assert_fail(const char* message, const char* file, unsigned line,
                                            const char* function) {
    __assertfail(message, file, line, function, sizeof(char));
}
__device__ int printf(const char*, ...);
}
namespace std {
__device__ static inline void free(void* pointer) { ::free(pointer); }
__device__ static inline void* malloc(size_t size) { return ::malloc(size); }
}  // namespace std

__device__ inline __cuda_builtin_threadIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_threadIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockDim_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_gridDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_gridDim_t::operator uint3() const { return {x, y, z}; }

// clang-format off
#include <__clang_cuda_cmath.h>
#include <__clang_cuda_intrinsics.h>
#include <__clang_cuda_complex_builtins.h>

#include "lockstep_atomics.h"
#include "lockstep_cache_hints.h"
#include "lockstep_textures.h"
#include "lockstep_math.h"
#include "lockstep_barriers.h"
// clang-format on

#pragma pop_macro("__CUDA_ARCH__")

#ifdef __CUDA_ARCH__
// The compiler's printf() takes this declaration of vprintf(), and with it that no code may be moved across
// its call into branches: what the lanes of a warp print stays in order.
__device__ __attribute__((used)) static int (*const lockstep_vprintf)(const char*, const char*) = vprintf;
#endif

extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t sharedBytes = 0,
                                                void* stream = 0);
