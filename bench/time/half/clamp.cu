#include <cuda_fp16.h>
__global__ void clampcount(const __half* in, __half* out, int* count, float low, float high, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __half lo = __float2half(low), hi = __float2half(high);
    if (i < n) {
        __half v = in[i];
        bool inside = __hgt(v, lo) && __hlt(v, hi);
        out[i] = inside ? v : __hsub(hi, lo);
        if (inside) atomicAdd(count, 1);
    }
}
