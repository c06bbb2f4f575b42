#include <cuda_fp16.h>
__global__ void dot(const __half* x, const __half* y, float* out, int n) {
    __shared__ float part[32];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += __half2float(__hmul(x[i], y[i]));
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(~0u, sum, s);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
        for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(~0u, sum, s);
        if (threadIdx.x == 0) out[blockIdx.x] = sum;
    }
}
