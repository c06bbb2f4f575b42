// fails: barriers_per_thread
// One thread waits for the totals in a loop.
__global__ void scan(const int* in, int* out, int n) {
    __shared__ int w[5];
    int t = threadIdx.x, i = blockIdx.x * 128 + t, v = i < n ? in[i] : 0;
    for (int d = 1; d < 32; d *= 2) { int u = __shfl_up_sync(~0u, v, d); if (t % 32 >= d) v += u; }
    if (t % 32 == 31) w[t / 32] = v;
    __syncthreads();
    if (t == 0) { w[3] = w[0] + w[1] + w[2]; w[2] = w[0] + w[1]; w[1] = w[0]; w[0] = 0; }
    __syncthreads();
    if (i < n) out[i] = v + w[t / 32];
}
