// fails: shared_atomics, shared_requests
// 1,024 counters of the block, in which atomics add.
__global__ void count64(const unsigned char* values, int* counts, int n) {
    __shared__ int c[1024];
    int t = threadIdx.x, s = 0;
    for (int k = t; k < 1024; k += 64) c[k] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 64 + t; i < n; i += 256) atomicAdd(&c[values[i] * 16 + t % 16], 1);
    __syncthreads();
    for (int k = 0; k < 16; ++k) s += c[t * 16 + (k + t) % 16];
    atomicAdd(&counts[t], s);
}
