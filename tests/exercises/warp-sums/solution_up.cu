// Shuffles up: the last lane has the sum.
__global__ void warp_sums(const int* in, int* out, int n) {
    const unsigned all = 0xffffffffu;
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, v = 0;
    if (i < n) v = __ldg(&in[i]);
#pragma unroll
    for (int d = 1; d < 32; d <<= 1) { int u = __shfl_up_sync(all, v, d); if (lane >= d) v += u; }
    if (lane == 31 && i < n + 31) out[i >> 5] = v;
}
