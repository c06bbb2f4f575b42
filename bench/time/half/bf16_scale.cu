#include <cuda_bf16.h>
__global__ void scale(const __nv_bfloat16* in, const float* factor, __nv_bfloat16* out, int columns) {
    int row = blockIdx.x;
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        out[row * columns + i] = __float2bfloat16(__bfloat162float(in[row * columns + i]) * factor[row]);
}
