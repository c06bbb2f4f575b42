// fails: correct, shared_atomics
// Each thread counts one value, whatever n is.
__global__ void histogram(const unsigned char* values, int* counts, int n, int bins) {
    __shared__ int mine[256];
    for (int b = threadIdx.x; b < bins; b += blockDim.x)
        mine[b] = 0;
    __syncthreads();
    int step = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n && i < step; i += step)
        atomicAdd(&mine[values[i] % bins], 1);
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += blockDim.x)
        atomicAdd(&counts[b], mine[b]);
}
