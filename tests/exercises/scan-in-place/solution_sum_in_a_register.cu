__global__ void scan(const int* in, int* out, int n) {
    __shared__ int s[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    int v = i < n ? in[i] : 0;
    s[t] = v;
    for (int d = 1; d < 128; d <<= 1) {
        __syncthreads();
        if (t >= d) v += s[t - d];
        __syncthreads();
        s[t] = v;
    }
    if (i < n) out[i] = v;
}
