#include <cuda_fp16.h>
__global__ void norm(const __half2* in, __half2* out, int columns2) {
    __shared__ float sums[32];
    const __half2* row = in + blockIdx.x * columns2;
    float sum = 0;
    for (int i = threadIdx.x; i < columns2; i += blockDim.x) {
        float2 v = __half22float2(row[i]);
        sum += v.x * v.x + v.y * v.y;
    }
    for (int s = 16; s > 0; s /= 2) sum += __shfl_xor_sync(~0u, sum, s);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0;
    for (int w = 0; w < blockDim.x / 32; ++w) sum += sums[w];
    __half2 scale = __float2half2_rn(rsqrtf(sum / (2 * columns2) + 1e-5f));
    for (int i = threadIdx.x; i < columns2; i += blockDim.x) out[blockIdx.x * columns2 + i] = __hmul2(row[i], scale);
}
