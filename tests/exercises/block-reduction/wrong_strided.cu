// fails: bank_conflicts
// Active threads are neighbors, but their elements lie 2 * s apart.
__global__ void reduce(const int* in, int* out, int n) {
    __shared__ int part[128];
    int t = threadIdx.x;
    int i = blockIdx.x * 128 + t;
    part[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int s = 1; s < 128; s *= 2) {
        int at = 2 * s * t;
        if (at < 128) part[at] += part[at + s];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = part[0];
}
