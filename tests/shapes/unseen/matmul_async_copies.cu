#include <cuda_pipeline.h>
__global__ void asyncGemm(const float* A, const float* B, float* C, int n)
{
    __shared__ float a[2][16][16];
    __shared__ float b[2][16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int r = blockIdx.y * 16, c = blockIdx.x * 16;
    float s0 = 0, s1 = 0;
    auto fill = [&](int st, int k0) {
        for (int i = 0; i < 16; i += 8) {
            __pipeline_memcpy_async(&a[st][ty + i][tx], &A[(r + ty + i) * n + k0 + tx], 4);
            __pipeline_memcpy_async(&b[st][ty + i][tx], &B[(k0 + ty + i) * n + c + tx], 4);
        }
        __pipeline_commit();
    };
    fill(0, 0);
    for (int t = 0; t < n / 16; t++) {
        if (t + 1 < n / 16) { fill((t + 1) & 1, (t + 1) * 16); __pipeline_wait_prior(1); }
        else __pipeline_wait_prior(0);
        __syncthreads();
        for (int k = 0; k < 16; k++) { float y = b[t & 1][k][tx]; s0 += a[t & 1][ty][k] * y; s1 += a[t & 1][ty + 8][k] * y; }
        __syncthreads();
    }
    C[(r + ty) * n + c + tx] = s0; C[(r + ty + 8) * n + c + tx] = s1;
}
