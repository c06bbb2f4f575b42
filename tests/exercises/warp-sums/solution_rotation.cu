// The lanes form a ring; any of them has the sum.
template <int D> __device__ int ring(int v) { if constexpr (D == 0) return v; else return ring<D / 2>(v + __shfl_sync(0xffffffff, v, (threadIdx.x + D) % 32)); }
__global__ void warp_sums(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int s = ring<16>(i < n ? in[i] : 0);
    if (threadIdx.x % 32 == 7 && i - 7 < n) out[i / 32] = s;
}
