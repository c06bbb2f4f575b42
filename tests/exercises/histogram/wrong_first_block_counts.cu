// fails: busiest_warp_loads
__global__ void histogram(const unsigned char* values, int* counts, int n, int bins) {
    __shared__ int own[256];
    for (int b = threadIdx.x; b < bins; b += blockDim.x)
        own[b] = 0;
    __syncthreads();
    if (blockIdx.x == 0)
        for (int i = threadIdx.x; i < n; i += blockDim.x)
            atomicAdd(&own[values[i] % bins], 1);
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += blockDim.x)
        atomicAdd(&counts[b], own[b]);
}
