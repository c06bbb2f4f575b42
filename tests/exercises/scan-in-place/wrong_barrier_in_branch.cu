// fails: correct
// Not all threads of the block come to the barrier.
__global__ void scan(const int* in, int* out, int n) {
    __shared__ int sums[128];
    int t = threadIdx.x;
    int i = blockIdx.x * 128 + t;
    sums[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int step = 1; step < 128; step *= 2) {
        int other = 0;
        if (t >= step) {
            other = sums[t - step];
            __syncthreads();
            sums[t] += other;
        }
        __syncthreads();
    }
    if (i < n) out[i] = sums[t];
}
