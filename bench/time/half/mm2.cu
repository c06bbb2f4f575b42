// Two columns of the product per thread, in pairs of halves.
#include <cuda_fp16.h>
#define T 16
__global__ void mm2(const __half* A, const __half2* B, __half2* C, int n) {
    __shared__ __half a[T][T];
    __shared__ __half2 b[T][T];
    int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y, half_n = n / 2;
    __half2 sum = __float2half2_rn(0.f);
    for (int k = 0; k < n; k += T) {
        a[threadIdx.y][threadIdx.x] = A[y * n + k + threadIdx.x];
        b[threadIdx.y][threadIdx.x] = B[(k + threadIdx.y) * half_n + x];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < T; ++i) sum = __hfma2(__half2half2(a[threadIdx.y][i]), b[i][threadIdx.x], sum);
        __syncthreads();
    }
    C[y * half_n + x] = sum;
}
