// Histogram with a private copy for each block in dynamic shared memory, merged at the end.
__global__ void histogram_shared(unsigned int *input, unsigned int *bins,
                                 unsigned int num_elements, unsigned int num_bins) {
    extern __shared__ unsigned int bins_s[];
    for (unsigned int b = threadIdx.x; b < num_bins; b += blockDim.x)
        bins_s[b] = 0;
    __syncthreads();

    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < num_elements; i += blockDim.x * gridDim.x)
        atomicAdd(&bins_s[input[i] % num_bins], 1u);
    __syncthreads();

    for (unsigned int b = threadIdx.x; b < num_bins; b += blockDim.x)
        atomicAdd(&bins[b], bins_s[b]);
}
