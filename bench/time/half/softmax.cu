// A warp per row.
#include <cuda_fp16.h>
__global__ void softmax(const __half* in, __half* out, int columns) {
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    const __half* from = in + row * columns;
    float most = -1e30f, sum = 0;
    for (int i = lane; i < columns; i += 32) most = fmaxf(most, __half2float(from[i]));
    for (int s = 16; s > 0; s /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, s));
    for (int i = lane; i < columns; i += 32) sum += exp2f((__half2float(from[i]) - most) * 1.4426950f);
    for (int s = 16; s > 0; s /= 2) sum += __shfl_xor_sync(~0u, sum, s);
    for (int i = lane; i < columns; i += 32)
        out[row * columns + i] = __float2half(exp2f((__half2float(from[i]) - most) * 1.4426950f) / sum);
}
