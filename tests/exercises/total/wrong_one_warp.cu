// fails: shared_requests, global_atomics, busiest_warp_loads
// one warp does it all
__global__ void total(const int* in, int* out, int n) {
    if (blockIdx.x || threadIdx.x >= 32) return; int v = 0;
    for (int i = threadIdx.x; i < n; i += 32) v += in[i];
    v = __reduce_add_sync(~0u, v); if (!threadIdx.x) *out = v;
}
