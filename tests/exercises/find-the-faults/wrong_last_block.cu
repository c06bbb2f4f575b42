// fails: correct
// Two faults fixed, the last block still reversed as if it were full.
__global__ void reverse(const int* in, int* out, int n) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    int first = blockIdx.x * 64;
    int count = min(64, n - first);
    if (t < count) tile[t] = in[first + t];
    __syncthreads();
    if (t < count) out[first + t] = tile[63 - t];
}
