// Two levels: each warp reduces by shuffles, then the first warp reduces the results of all warps.
__device__ float warp_sum(float v) {
    for (int d = 16; d > 0; d >>= 1)
        v += __shfl_down_sync(~0u, v, d);
    return v;
}

__global__ void block_sum(const float *x, float *sums) {
    static __shared__ float shared[32];
    int lane = threadIdx.x % 32;
    int wid = threadIdx.x / 32;

    float v = warp_sum(x[blockIdx.x * blockDim.x + threadIdx.x]);
    if (lane == 0) shared[wid] = v;
    __syncthreads();

    v = (threadIdx.x < blockDim.x / 32) ? shared[lane] : 0.0f;
    if (wid == 0) v = warp_sum(v);
    if (threadIdx.x == 0) sums[blockIdx.x] = v;
}
