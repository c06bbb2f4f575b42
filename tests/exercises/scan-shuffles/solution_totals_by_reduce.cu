__global__ void scan(const int* in, int* out, int n) {
    __shared__ int tot[4];
    int i = blockIdx.x * 128 + threadIdx.x, lane = threadIdx.x & 31, w = threadIdx.x >> 5;
    int v = i < n ? in[i] : 0;
    for (int d = 1; d < 32; d <<= 1) { int o = __shfl_up_sync(0xffffffff, v, d); v += lane >= d ? o : 0; }
    if (lane == 31) tot[w] = v;
    __syncthreads();
    int add = lane < w ? tot[lane] : 0;
    add = __reduce_add_sync(0xffffffff, add);
    if (i < n) out[i] = v + add;
}
