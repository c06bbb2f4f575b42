// fails: divergent_branches, shared_requests
// t % (2 * s): in each step every warp has active and inactive lanes.
// Correct, but interleaved addressing lets all warps diverge.
__global__ void reduce(const int* in, int* out, int n) {
    __shared__ int part[128];
    int t = threadIdx.x;
    int i = blockIdx.x * 128 + t;
    part[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int s = 1; s < 128; s *= 2) {
        if (t % (2 * s) == 0) part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = part[0];
}
