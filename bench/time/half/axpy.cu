#include <cuda_fp16.h>
__global__ void axpy(const __half2* x, __half2* y, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __half2 f = __float2half2_rn(a);
    if (i < n) y[i] = __hfma2(f, x[i], y[i]);
}
