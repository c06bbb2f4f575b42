#include <cuda_fp16.h>
__global__ void hgemm(const __half* A, const __half* B, float* C, int n)
{
    __shared__ float l[32][9];
    __shared__ float r[8][33];
    int t = threadIdx.x, i0 = t / 8 * 4, j0 = t % 8 * 4;
    float acc[4][4] = {};
    for (int k0 = 0; k0 < n; k0 += 8) {
        for (int e = t; e < 256; e += 64) {
            l[e / 8][e % 8] = __half2float(A[(blockIdx.y * 32 + e / 8) * n + k0 + e % 8]);
            r[e / 32][e % 32] = __half2float(B[(k0 + e / 32) * n + blockIdx.x * 32 + e % 32]);
        }
        __syncthreads();
        for (int k = 0; k < 8; k++)
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++) acc[i][j] += l[i0 + i][k] * r[k][j0 + j];
        __syncthreads();
    }
    for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) C[(blockIdx.y * 32 + i0 + i) * n + blockIdx.x * 32 + j0 + j] = acc[i][j];
}
