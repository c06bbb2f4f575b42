// fails: shared_requests
// Each thread loads what it stores.
__global__ void reverse(const int* in, int* out, int n) {
    int t = threadIdx.x, first = blockIdx.x * 64, count = min(64, n - first);
    if (t < count) out[first + t] = in[first + count - 1 - t];
}
