// Tiled product of half-precision matrices with sums in single precision.
#include <cuda_fp16.h>
#define TS 16

__global__ void hgemm(const half *A, const half *B, float *C, int n)
{
    __shared__ half At[TS][TS];
    __shared__ half Bt[TS][TS];
    int row = blockIdx.y * TS + threadIdx.y;
    int col = blockIdx.x * TS + threadIdx.x;
    float acc = 0.0f;
    for (int t = 0; t < n / TS; t++) {
        At[threadIdx.y][threadIdx.x] = A[row * n + t * TS + threadIdx.x];
        Bt[threadIdx.y][threadIdx.x] = B[(t * TS + threadIdx.y) * n + col];
        __syncthreads();
        for (int k = 0; k < TS; k++)
            acc += __half2float(At[threadIdx.y][k]) * __half2float(Bt[k][threadIdx.x]);
        __syncthreads();
    }
    C[row * n + col] = acc;
}
