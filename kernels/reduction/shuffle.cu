// The tree in registers: a warp adds up with __shfl_down_sync(), which hands a register from lane to lane. Shared memory
// carries only one sum per warp, and the block needs only one barrier.

__device__ int warp_sum(int sum)  // lane 0 gets the sum of all lanes
{
    for (int offset = 16; offset > 0; offset >>= 1)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    return sum;
}

__global__ void reduce_shuffle(const int* in, int* out, int n)
{
    __shared__ int warpSums[32];  // a block has at most 32 warps

    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    int first = i < n ? in[i] : 0;
    int second = i + blockDim.x < n ? in[i + blockDim.x] : 0;

    int sum = warp_sum(first + second);
    if (lane == 0)
        warpSums[warp] = sum;
    __syncthreads();

    if (warp == 0) {
        sum = warp_sum(lane < blockDim.x / 32 ? warpSums[lane] : 0);
        if (lane == 0)
            out[blockIdx.x] = sum;
    }
}
