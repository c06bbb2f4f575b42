__global__ void reverse(const int* in, int* out, int n) {
    int first = blockIdx.x * 64, count = min(64, n - first), t = threadIdx.x;
    if (t < count) out[first + t] = in[first + count - 1 - t];
}
