// fails: barriers_per_thread, shared_requests, shared_bytes
// Two rounds of a warp's own reduction; the four sums pass through shared memory, nothing is a tree there.
__global__ void reduce(const int* in, int* out, int n) {
    __shared__ int of_warp[4];
    unsigned at = blockIdx.x * 128 + threadIdx.x, lane = threadIdx.x % 32;
    int mine = at < n ? in[at] : 0;
    mine = __reduce_add_sync(0xffffffff, mine);
    if (lane == 0) of_warp[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x < 32) {
        mine = __reduce_add_sync(0xffffffff, lane < 4 ? of_warp[lane] : 0);
        if (lane == 0) out[blockIdx.x] = mine;
    }
}
