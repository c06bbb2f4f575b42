// Each thread computes a 2 x 2 patch of C; the block has 8 x 8 threads and its tile is 16 x 16.
#define T 16
#define KT 8
__global__ void mm2x2(const float *A, const float *B, float *C, int K, int N)
{
    __shared__ float sA[T][KT];
    __shared__ float sB[KT][T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row0 = blockIdx.y * T, col0 = blockIdx.x * T;
    float c00 = 0, c01 = 0, c10 = 0, c11 = 0;

    for (int k0 = 0; k0 < K; k0 += KT) {
        sA[ty][tx]     = A[(row0 + ty) * K + k0 + tx];
        sA[ty + 8][tx] = A[(row0 + ty + 8) * K + k0 + tx];
        sB[ty][tx]     = B[(k0 + ty) * N + col0 + tx];
        sB[ty][tx + 8] = B[(k0 + ty) * N + col0 + tx + 8];
        __syncthreads();
        for (int k = 0; k < KT; k++) {
            float a0 = sA[2 * ty][k], a1 = sA[2 * ty + 1][k];
            float b0 = sB[k][2 * tx], b1 = sB[k][2 * tx + 1];
            c00 += a0 * b0; c01 += a0 * b1;
            c10 += a1 * b0; c11 += a1 * b1;
        }
        __syncthreads();
    }
    float *p = C + (row0 + 2 * ty) * N + col0 + 2 * tx;
    p[0] = c00; p[1] = c01;
    p[N] = c10; p[N + 1] = c11;
}
