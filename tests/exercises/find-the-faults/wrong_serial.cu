// fails: load_requests, store_requests, shared_requests
// One thread of the block moves all elements.
__global__ void reverse(const int* in, int* out, int n) {
    if (threadIdx.x) return;
    int first = blockIdx.x * 64, last = min(n, first + 64) - 1;
    for (int i = first; i <= last; ++i) out[i] = in[last - (i - first)];
}
