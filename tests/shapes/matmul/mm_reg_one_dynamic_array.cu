// one dynamic shared array holds both tiles; 2 x 2 sums far apart
extern __shared__ float pool[];
__global__ void gemm_dyn(const float* A, const float* B, float* C, int n)
{
    const int T = 16, H = 8;
    float* as = pool;
    float* bs = pool + T * T;
    int tx = threadIdx.x, ty = threadIdx.y;
    float c00 = 0, c01 = 0, c10 = 0, c11 = 0;
    int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    for (int m = 0; m < n; m += T) {
        for (int i = 0; i < T; i += H)
            for (int j = 0; j < T; j += H) {
                as[(ty + i) * T + tx + j] = A[(row + i) * n + m + tx + j];
                bs[(ty + i) * T + tx + j] = B[(m + ty + i) * n + col + j];
            }
        __syncthreads();
        for (int k = 0; k < T; k++) {
            float x0 = as[ty * T + k], x1 = as[(ty + H) * T + k], y0 = bs[k * T + tx], y1 = bs[k * T + tx + H];
            c00 += x0 * y0; c01 += x0 * y1; c10 += x1 * y0; c11 += x1 * y1;
        }
        __syncthreads();
    }
    C[row * n + col] = c00; C[row * n + col + H] = c01; C[(row + H) * n + col] = c10; C[(row + H) * n + col + H] = c11;
}
