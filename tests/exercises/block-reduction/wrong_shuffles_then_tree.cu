// fails: shared_bytes, shuffles
// Shuffles within the warps; the tree has four leaves.
__global__ void reduce(const int* in, int* out, int n) {
    __shared__ int top[4];
    int t = threadIdx.x, at = blockIdx.x * 128 + t, v = at < n ? in[at] : 0;
    for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (t % 32 == 0) top[t / 32] = v;
    __syncthreads();
    if (t < 2) top[t] += top[t + 2];
    __syncthreads();
    if (t == 0) out[blockIdx.x] = top[0] + top[1];
}
