// fails: correct, races
// volatile in place of the barrier
__global__ void reverse(const int* in, int* out, int n) {
    __shared__ volatile int tile[64];
    int t = threadIdx.x, first = blockIdx.x * 64, count = min(64, n - first);
    if (t < count) tile[t] = in[first + t];
    __threadfence_block();
    if (t < count) out[first + t] = tile[count - 1 - t];
}
