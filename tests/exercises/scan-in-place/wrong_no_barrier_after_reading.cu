// fails: correct, races, barriers_per_thread
// A sum may be overwritten before its neighbor has read it.
__global__ void scan(const int* in, int* out, int n) {
    __shared__ int sums[128];
    int t = threadIdx.x;
    int i = blockIdx.x * 128 + t;
    sums[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int step = 1; step < 128; step *= 2) {
        int other = t >= step ? sums[t - step] : 0;
        sums[t] += other;
        __syncthreads();
    }
    if (i < n) out[i] = sums[t];
}
