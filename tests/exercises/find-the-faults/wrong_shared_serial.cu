// fails: store_requests
// The tile is filled by all, and emptied by one.
__global__ void reverse(const int* in, int* out, int n) {
    __shared__ int tile[64];
    int t = threadIdx.x, first = blockIdx.x * 64, count = min(64, n - first);
    if (t < count) tile[t] = in[first + t];
    __syncthreads();
    if (t == 0) for (int k = 0; k < count; ++k) out[first + k] = tile[count - 1 - k];
}
