// Each thread computes four elements of C that lie half a tile apart.
constexpr int BM = 32, BN = 32, BK = 16, HALF = 16;

__global__ void sgemm_tt(const float* A, const float* B, float* C, int M, int N, int K)
{
    __shared__ float As[BM][BK + 1];
    __shared__ float Bs[BK][BN];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN;
    float acc[2][2] = {};
    for (int kk = 0; kk < K; kk += BK)
    {
        for (int h = 0; h < 2; ++h)
        {
            As[ty + h * HALF][tx] = A[(m0 + ty + h * HALF) * K + kk + tx];
            Bs[ty][tx + h * HALF] = B[(kk + ty) * N + n0 + tx + h * HALF];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < BK; ++k)
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < 2; ++j)
                    acc[i][j] += As[ty + i * HALF][k] * Bs[k][tx + j * HALF];
        __syncthreads();
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            C[(m0 + ty + i * HALF) * N + n0 + tx + j * HALF] = acc[i][j];
}
