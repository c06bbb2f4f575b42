// fails: barriers_per_thread, shared_requests, shared_bytes
// One warp does it all: four elements each, then shuffles.
__global__ void reduce(const int* in, int* out, int n) {
    if (threadIdx.x >= 32) return;
    int s = 0;
    for (int k = threadIdx.x; k < 128; k += 32) s += blockIdx.x * 128 + k < n ? in[blockIdx.x * 128 + k] : 0;
    for (int d = 16; d; d /= 2) s += __shfl_xor_sync(~0u, s, d);
    if (threadIdx.x == 0) out[blockIdx.x] = s;
}
