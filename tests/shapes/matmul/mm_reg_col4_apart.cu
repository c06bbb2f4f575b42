// four rows apart, blockDim.y = 4, tiles of 16 x 16
#define TW 16
__global__ void mul4(const float* A, const float* B, float* C, int M, int K, int N)
{
    __shared__ float sa[TW][TW];
    __shared__ float sb[TW][TW + 1];
    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * TW + x, row = blockIdx.y * TW + y;
    float acc[4] = {0.f, 0.f, 0.f, 0.f};
    for (int t = 0; t < (K + TW - 1) / TW; t++) {
#pragma unroll
        for (int q = 0; q < 4; q++) {
            int rr = row + q * 4, kk = t * TW + x;
            sa[y + q * 4][x] = (rr < M && kk < K) ? A[rr * K + kk] : 0.f;
            int kr = t * TW + y + q * 4;
            sb[y + q * 4][x] = (kr < K && col < N) ? B[kr * N + col] : 0.f;
        }
        __syncthreads();
        for (int k = 0; k < TW; k++)
#pragma unroll
            for (int q = 0; q < 4; q++) acc[q] += sa[y + q * 4][k] * sb[k][x];
        __syncthreads();
    }
#pragma unroll
    for (int q = 0; q < 4; q++)
        if (row + q * 4 < M && col < N) C[(row + q * 4) * N + col] = acc[q];
}
