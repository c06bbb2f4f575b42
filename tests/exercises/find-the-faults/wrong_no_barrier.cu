// fails: correct, races
// Two faults fixed, the barrier still missing.
__global__ void reverse(const int* in, int* out, int n) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    int first = blockIdx.x * 64;
    int count = min(64, n - first);
    if (t < count) tile[t] = in[first + t];
    if (t < count) out[first + t] = tile[count - 1 - t];
}
