__global__ void reduce(const int* in, int* out, int n) {
    __shared__ int s[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    if (t >= 64) return;
    s[t] += s[t + 64];
    __syncthreads();
    if (t >= 32) return;
    int v = __reduce_add_sync(~0u, s[t] + s[t + 32]);
    if (t == 31) out[blockIdx.x] = v;
}
