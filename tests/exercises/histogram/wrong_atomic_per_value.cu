// fails: global_atomics, shared_atomics
// An atomic operation in global memory for each value.
__global__ void histogram(const unsigned char* values, int* counts, int n, int bins) {
    int step = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        atomicAdd(&counts[values[i] % bins], 1);
}
