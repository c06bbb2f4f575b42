// y = W x with half precision weights, one warp a row, lanes' sums put together with shuffles.
#include <cuda_fp16.h>

__global__ void gemv_half(const __half *W, const __half *x, float *y, int rows, int cols)
{
    const int row = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
    const int lane = threadIdx.x & 31;
    if (row >= rows) return;

    const __half2 *w2 = reinterpret_cast<const __half2 *>(W + (size_t)row * cols);
    const __half2 *x2 = reinterpret_cast<const __half2 *>(x);
    float s = 0.f;
    for (int c = lane; c < cols / 2; c += 32) {
        float2 a = __half22float2(w2[c]);
        float2 b = __half22float2(x2[c]);
        s += a.x * b.x + a.y * b.y;
    }
    s += __shfl_xor_sync(~0u, s, 16);
    s += __shfl_xor_sync(~0u, s, 8);
    s += __shfl_xor_sync(~0u, s, 4);
    s += __shfl_xor_sync(~0u, s, 2);
    s += __shfl_xor_sync(~0u, s, 1);
    if (lane == 0) y[row] = s;
}
