#include <cuda_bf16.h>
__global__ void axpy(const __nv_bfloat162* x, __nv_bfloat162* y, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __nv_bfloat162 f = __float2bfloat162_rn(a);
    if (i < n) y[i] = __hfma2(f, x[i], y[i]);
}
