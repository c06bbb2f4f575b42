// C = A * B for signed bytes, B kept column by column (N x K), sums in 32-bit integers; dp4a and TM x TN sums per thread, 64 threads in a line.
#include <cstdint>

template <int TM, int TN>
__global__ void igemm_nt(const int8_t *__restrict__ A, const int8_t *__restrict__ Bt,
                         int32_t *__restrict__ C, int M, int N, int K)
{
    constexpr int LANES_N = 8, LANES_M = 8, WORDS = 8;    // 8 words are 32 values of k
    constexpr int BM = LANES_M * TM, BN = LANES_N * TN;
    __shared__ int sa[BM][WORDS + 1];
    __shared__ int sb[BN][WORDS + 1];

    const int *a32 = reinterpret_cast<const int *>(A) + (size_t)blockIdx.y * BM * (K / 4);
    const int *b32 = reinterpret_cast<const int *>(Bt) + (size_t)blockIdx.x * BN * (K / 4);
    const int tn = threadIdx.x & 7, tm = threadIdx.x >> 3;

    int acc[TM][TN];
#pragma unroll
    for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) acc[i][j] = 0;

    for (int k0 = 0; k0 < K / 4; k0 += WORDS) {
        for (int w = threadIdx.x; w < BM * WORDS; w += 64)
            sa[w / WORDS][w % WORDS] = a32[(w / WORDS) * (K / 4) + k0 + w % WORDS];
        for (int w = threadIdx.x; w < BN * WORDS; w += 64)
            sb[w / WORDS][w % WORDS] = b32[(w / WORDS) * (K / 4) + k0 + w % WORDS];
        __syncthreads();
#pragma unroll
        for (int w = 0; w < WORDS; ++w) {
            int ra[TM], rb[TN];
#pragma unroll
            for (int i = 0; i < TM; ++i) ra[i] = sa[tm + i * LANES_M][w];
#pragma unroll
            for (int j = 0; j < TN; ++j) rb[j] = sb[tn + j * LANES_N][w];
#pragma unroll
            for (int i = 0; i < TM; ++i)
#pragma unroll
                for (int j = 0; j < TN; ++j) acc[i][j] = __dp4a(ra[i], rb[j], acc[i][j]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) {
            int r = blockIdx.y * BM + tm + i * LANES_M;
            int c = blockIdx.x * BN + tn + j * LANES_N;
            if (r < M && c < N) C[(size_t)r * N + c] = acc[i][j];
        }
}
