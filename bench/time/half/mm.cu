#include <cuda_fp16.h>
#define T 16
__global__ void mm(const __half* A, const __half* B, __half* C, int n) {
    __shared__ __half a[T][T], b[T][T];
    int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
    __half sum = __float2half(0.f);
    for (int k = 0; k < n; k += T) {
        a[threadIdx.y][threadIdx.x] = A[y * n + k + threadIdx.x];
        b[threadIdx.y][threadIdx.x] = B[(k + threadIdx.y) * n + x];
        __syncthreads();
        for (int i = 0; i < T; ++i) sum = __hfma(a[threadIdx.y][i], b[i][threadIdx.x], sum);
        __syncthreads();
    }
    C[y * n + x] = sum;
}
