// Each warp sums the totals by what its lanes load.
template <class T> __device__ T inclusive(T v, int lane) { for (int d = 1; d < 32; d <<= 1) { T u = __shfl_up_sync(~0u, v, d, 32); if (lane >= d) v = u + v; } return v; }
__global__ void scan(const int* in, int* out, int n) {
    __shared__ int total[3];
    int lane = threadIdx.x & 31, warp = threadIdx.x / 32, i = 128 * blockIdx.x + threadIdx.x;
    int v = 0;
    if (i < n) v = in[i];
    v = inclusive(v, lane);
    if (lane == 31 && warp < 3) total[warp] = v;
    __syncthreads();
    switch (warp) { case 3: v += total[2]; case 2: v += total[1]; case 1: v += total[0]; }
    if (i < n) out[i] = v;
}
