// warps of 16 x 32, lanes 4 x 8, each lane 2 x 2 pieces of 2 x 2 (4 x 4 sums in pieces)
__global__ void gemm_w(const float* A, const float* B, float* C, int N)
{
    __shared__ float sA[4][32];
    __shared__ float sB[4][64];
    int w = threadIdx.x / 32, l = threadIdx.x % 32;
    int wr = (w / 2) * 16, wc = (w % 2) * 32, lr = (l / 8) * 2, lc = (l % 8) * 2;
    float acc[4][4] = {};
    for (int k0 = 0; k0 < N; k0 += 4) {
        { int r = threadIdx.x / 4, k = threadIdx.x % 4; sA[k][r] = A[(blockIdx.y * 32 + r) * N + k0 + k]; }
        for (int i = threadIdx.x; i < 256; i += 128) sB[i / 64][i % 64] = B[(k0 + i / 64) * N + blockIdx.x * 64 + i % 64];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 4; k++) {
            float x[4], y[4];
#pragma unroll
            for (int i = 0; i < 4; i++) { x[i] = sA[k][wr + (i / 2) * 8 + lr + i % 2]; y[i] = sB[k][wc + (i / 2) * 16 + lc + i % 2]; }
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++) acc[i][j] += x[i] * y[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
            C[(blockIdx.y * 32 + wr + (i / 2) * 8 + lr + i % 2) * N + blockIdx.x * 64 + wc + (j / 2) * 16 + lc + j % 2] = acc[i][j];
}
