// Shuffle reduction that begins with an offset of 8, so that half of the warp never arrives.
__global__ void warpSums(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = in[i];
    for (int offset = 8; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (threadIdx.x % 32 == 0)
        out[i / 32] = sum;
}
