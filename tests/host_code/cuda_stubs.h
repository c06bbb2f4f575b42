// Just enough of CUDA's C++ for g++ to check a kernel's file and the host code beside it: nothing of this
// runs.
#pragma once

#include <cstddef>
#include <cstdio>
#include <utility>

#define __global__
#define __device__
#define __shared__

using cudaError_t = int;
constexpr cudaError_t cudaSuccess = 0;
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
enum cudaDeviceAttr { cudaDevAttrMaxSharedMemoryPerBlockOptin };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize };

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
inline dim3 threadIdx, blockIdx, blockDim, gridDim;
inline void __syncthreads() {}
inline void __syncwarp() {}

const char* cudaGetErrorString(cudaError_t);
cudaError_t cudaGetLastError();
template <class T> cudaError_t cudaMalloc(T** pointer, std::size_t bytes);
template <class T>
cudaError_t cudaMallocPitch(T** pointer, std::size_t* pitch, std::size_t width, std::size_t height);
cudaError_t cudaFree(void* pointer);
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind);
cudaError_t cudaMemcpy2D(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int device);
template <class Kernel> cudaError_t cudaFuncSetAttribute(Kernel*, cudaFuncAttribute, int value);

// kernel<<<grid, block, shared>>>(arguments) is written configured(kernel, grid, block, shared)(arguments)
// for the check.
template <class... Parameters> auto configured(void (*kernel)(Parameters...), dim3, dim3, std::size_t = 0) {
    return kernel;
}
