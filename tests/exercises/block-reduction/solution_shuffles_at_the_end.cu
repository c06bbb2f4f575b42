__global__ void reduce(const int* in, int* out, int n) {
    __shared__ int s[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t, v = i < n ? in[i] : 0;
    s[t] = v;
    __syncthreads();
    if (t < 64) s[t] = v = v + s[t + 64];
    __syncthreads();
    if (t < 32) {
        v += s[t + 32];
        for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
        if (t == 0) out[blockIdx.x] = v;
    }
}
