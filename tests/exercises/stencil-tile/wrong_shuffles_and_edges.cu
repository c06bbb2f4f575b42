// fails: shuffles
// Shuffles; only the edges of the warps go through shared memory.
__global__ void stencil(const int* in, int* out, int n) {
    __shared__ int first[5], last[5];
    int t = threadIdx.x, w = t / 32, l = t % 32, i = blockIdx.x * 128 + t, v = i < n ? in[i] : 0;
    if (l == 0) first[w] = v;
    if (l == 31) last[w + 1] = v;
    if (t == 0) last[0] = i > 0 ? in[i - 1] : 0;
    if (t == 127) first[4] = i + 1 < n ? in[i + 1] : 0;
    __syncthreads();
    int a = __shfl_up_sync(~0u, v, 1), b = __shfl_down_sync(~0u, v, 1);
    if (l == 0) a = last[w];
    if (l == 31) b = first[w + 1];
    if (i < n) out[i] = a + v + b;
}
