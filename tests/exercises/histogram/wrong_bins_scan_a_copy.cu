// fails: shared_atomics
// The values are copied into shared memory; each thread looks for its own bins there. One atomic operation, for the rule.
__global__ void histogram(const unsigned char* values, int* counts, int n, int bins) {
    __shared__ unsigned char copy[1040];
    __shared__ int nothing;
    if (threadIdx.x == 0) nothing = 0;
    int m = 0;
    for (int i = blockIdx.x * 128 + threadIdx.x, k = threadIdx.x; i < n; i += 512, k += 128) copy[k] = values[i] % bins;
    for (int i = blockIdx.x * 128; i < n; i += 512) m += min(128, n - i);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(&nothing, 1);
    for (int b = threadIdx.x; b < bins; b += 128) {
        int c = 0;
        for (int k = 0; k < m; ++k) c += copy[k] == b;
        atomicAdd(&counts[b], c);
    }
}
