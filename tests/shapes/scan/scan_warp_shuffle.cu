// Inclusive scan within each warp by shuffles.
__global__ void warp_inclusive_scan(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane_id = threadIdx.x & 0x1f;
    int value = in[i];

#pragma unroll
    for (int delta = 1; delta <= 16; delta *= 2) {
        int n = __shfl_up_sync(0xffffffff, value, delta, 32);
        if (lane_id >= delta)
            value += n;
    }
    out[i] = value;
}
