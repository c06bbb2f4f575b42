// fails: correct, races, barriers_per_thread
// The next step may read a sum that is not there yet.
__global__ void scan(const int* in, int* out, int n) {
    __shared__ int sums[128];
    int t = threadIdx.x;
    int i = blockIdx.x * 128 + t;
    sums[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int step = 1; step < 128; step *= 2) {
        int other = t >= step ? sums[t - step] : 0;
        __syncthreads();
        sums[t] += other;
    }
    if (i < n) out[i] = sums[t];
}
