// The words of CUDA C++ as clang's attributes.
#pragma once

#ifdef __CUDA__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#ifdef __CUDA_ARCH__
#define __managed__ __attribute__((device))
#else  // the host's variable is the device's, too: its pages become memory of both
#define __managed__ __attribute__((device, section("lockstep_managed")))
#endif
#else  // a file of host code
#define __managed__
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __launch_bounds__(...)
#endif
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __grid_constant__
#define __location__(a) __attribute__((a))
#define __cudart_builtin__
#define CUDARTAPI
#define CUDART_CB
#ifndef __restrict__
#define __restrict__ __restrict
#endif
