// fails: shared_atomics, shared_bytes, shared_requests
// One set of counters with atomics.
__global__ void count64(const unsigned char* values, int* counts, int n) {
    __shared__ int all[64];
    all[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += gridDim.x * 64)
        atomicAdd(&all[values[i]], 1);
    __syncthreads();
    atomicAdd(&counts[threadIdx.x], all[threadIdx.x]);
}
