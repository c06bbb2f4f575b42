// fails: shared_requests, busiest_warp_loads
// One warp of each block works.
__global__ void total(const int* in, int* out, int n) {
    if (threadIdx.x >= 32) return;
    int s = 0;
    for (int i = blockIdx.x * 32 + threadIdx.x; i < n; i += 256) s += in[i];
    s = __reduce_add_sync(~0u, s);
    if (threadIdx.x == 0) atomicAdd(out, s);
}
