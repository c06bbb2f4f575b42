// Inclusive scan of a block: each warp, then the sums of the warps, then both together.
__device__ __forceinline__ unsigned warpScan(unsigned v, unsigned lane)
{
    for (unsigned o = 1; o < 32; o <<= 1)
    {
        unsigned u = __shfl_up_sync(0xffffffffu, v, o);
        if (lane >= o) v += u;
    }
    return v;
}

__global__ void blockScan(const unsigned *src, unsigned *dst, unsigned *blockTotals)
{
    __shared__ unsigned warpTotals[4];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned g = blockIdx.x * blockDim.x + threadIdx.x;

    unsigned v = warpScan(src[g], lane);
    if (lane == 31) warpTotals[warp] = v;
    __syncthreads();
    if (warp == 0)
    {
        unsigned w = warpScan(lane < 4 ? warpTotals[lane] : 0u, lane);
        if (lane < 4) warpTotals[lane] = w;
    }
    __syncthreads();
    if (warp > 0) v += warpTotals[warp - 1];
    dst[g] = v;
    if (threadIdx.x == blockDim.x - 1) blockTotals[blockIdx.x] = v;
}
