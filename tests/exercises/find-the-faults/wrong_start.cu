// fails: correct, races
// All three faults.
__global__ void reverse(const int* in, int* out, int n) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    int first = blockIdx.x * 64;
    int count = min(64, n - first);
    if (first + t <= n) tile[t] = in[first + t];
    if (t < count) out[first + t] = tile[63 - t];
}
