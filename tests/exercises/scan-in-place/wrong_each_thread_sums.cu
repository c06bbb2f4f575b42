// fails: barriers_per_thread
// Each thread adds up all elements before its own.
__global__ void scan(const int* in, int* out, int n) {
    __shared__ int s[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t, sum = 0;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int k = 0; k <= t; ++k) sum += s[k];
    if (i < n) out[i] = sum;
}
