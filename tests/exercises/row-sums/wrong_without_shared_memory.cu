// fails: store_requests, shared_bytes, shared_requests, shuffles
// no shared: shuffles per row
__global__ void row_sums(const int* in, int* out, int rows) {
    int f = blockIdx.x * 32; for (int r = threadIdx.y; r < 32 && f + r < rows; r += 4) { int v = __reduce_add_sync(~0u, in[(f + r) * 32 + threadIdx.x]); if (threadIdx.x == 0) out[f + r] = v; }
}
