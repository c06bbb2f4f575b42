// Butterfly: after five exchanges every lane of the warp has the sum.
#define FULL_MASK 0xffffffff

__global__ void allreduce(const int *src, int *dst)
{
    int gid = threadIdx.x + blockDim.x * blockIdx.x;
    int value = src[gid];
    #pragma unroll
    for (int mask = 16; mask >= 1; mask >>= 1) {
        value += __shfl_xor_sync(FULL_MASK, value, mask);
    }
    dst[gid] = value;
}
