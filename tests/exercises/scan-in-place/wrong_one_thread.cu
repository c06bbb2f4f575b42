// fails: barriers_per_thread
// One thread runs along the array.
__global__ void scan(const int* in, int* out, int n) {
    __shared__ int s[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    if (t == 0) for (int k = 1; k < 128; ++k) s[k] += s[k - 1];
    __syncthreads();
    if (i < n) out[i] = s[t];
}
