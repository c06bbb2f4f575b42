// Column pass of a separable filter with clamped borders and a tile in shared memory.
__constant__ float taps[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};

__global__ void convolveColumns(const float *src, float *dst, int w, int h)
{
    __shared__ float col[8 + 4][16];
    const int x = blockIdx.x * 16 + threadIdx.x;
    const int y0 = blockIdx.y * 8;
    for (int r = threadIdx.y; r < 12; r += 8) {
        int y = min(max(y0 + r - 2, 0), h - 1);
        col[r][threadIdx.x] = src[y * w + x];
    }
    __syncthreads();
    float sum = 0.f;
#pragma unroll
    for (int t = 0; t < 5; ++t)
        sum += taps[t] * col[threadIdx.y + t][threadIdx.x];
    dst[(y0 + threadIdx.y) * w + x] = sum;
}
