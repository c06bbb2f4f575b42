// A reduction whose last warp goes on without barriers, as in "Optimizing Parallel Reduction in CUDA" (Harris,
// 2007): right while a warp executed in lockstep. Launch: <<<1, 64>>>.
__global__ void unrolled_last_warp(const int* in, int* out) {
    __shared__ volatile int sums[64];
    const int t = threadIdx.x;
    sums[t] = in[t];
    __syncthreads();
    if (t < 32) {
        sums[t] += sums[t + 32];
        sums[t] += sums[t + 16];
        sums[t] += sums[t + 8];
        sums[t] += sums[t + 4];
        sums[t] += sums[t + 2];
        sums[t] += sums[t + 1];
    }
    if (t == 0) *out = sums[0];
}
