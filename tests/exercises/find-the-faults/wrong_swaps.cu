// fails: load_requests, store_requests, shared_requests
// Copies, then one thread swaps in place.
__global__ void reverse(const int* in, int* out, int n) {
    int t = threadIdx.x, first = blockIdx.x * 64, count = min(64, n - first);
    if (t < count) out[first + t] = in[first + t];
    __syncthreads();
    if (t < count / 2) { int a = out[first + t], b = out[first + count - 1 - t]; out[first + t] = b; out[first + count - 1 - t] = a; }
}
