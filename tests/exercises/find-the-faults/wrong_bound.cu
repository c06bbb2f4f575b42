// fails: correct
// Two faults fixed, one element beyond the end still loaded.
__global__ void reverse(const int* in, int* out, int n) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    int first = blockIdx.x * 64;
    int count = min(64, n - first);
    if (first + t <= n) tile[t] = in[first + t];
    __syncthreads();
    if (t < count) out[first + t] = tile[count - 1 - t];
}
