// Each thread comes to the barrier once, whichever copy of the statement it is.
__global__ void stencil(const int* in, int* out, int n) {
    __shared__ int tile[130];
    int t = threadIdx.x;
    int i = blockIdx.x * 128 + t;
    tile[t + 1] = i < n ? in[i] : 0;
    if (t == 0) tile[0] = i > 0 ? in[i - 1] : 0;
    if (t == 127) tile[129] = i + 1 < n ? in[i + 1] : 0;
    if (t / 32 % 2) __syncthreads(); else __syncthreads();
    if (i < n) out[i] = tile[t] + tile[t + 1] + tile[t + 2];
}
