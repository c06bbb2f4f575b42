// Running sums as they are written today: Hillis and Steele within a warp, where __shfl_up_sync() costs no barrier and no
// shared memory; then the first warp does the same with the warps' sums. Two barriers, one word per warp.

__device__ int warp_scan(int sum)
{
    int lane = threadIdx.x % 32;
    for (int offset = 1; offset < 32; offset *= 2) {
        int before = __shfl_up_sync(0xffffffff, sum, offset);
        if (lane >= offset)
            sum += before;
    }
    return sum;
}

__global__ void scan_shuffle(const int* in, int* out, int* totals, int n)
{
    __shared__ int warpSums[32];  // a block has at most 32 warps

    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = warp_scan(i < n ? in[i] : 0);
    if (lane == 31)
        warpSums[warp] = sum;
    __syncthreads();

    if (warp == 0) {
        int warps = blockDim.x / 32;
        int upToHere = warp_scan(lane < warps ? warpSums[lane] : 0);
        if (lane < warps)
            warpSums[lane] = upToHere;
    }
    __syncthreads();

    if (warp > 0)
        sum += warpSums[warp - 1];
    if (i < n)
        out[i] = sum;
    if (threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = sum;
}

__global__ void scan_add_totals(int* out, const int* totals, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] += totals[blockIdx.x - 1];
}
