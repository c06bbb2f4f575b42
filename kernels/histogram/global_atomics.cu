// How often does each value occur? Every thread adds 1 to its value's bin in global memory. atomicAdd() makes that correct,
// but all threads of the grid meet in a few bins, and additions to one bin happen one after the other.

__global__ void histogram_global(const unsigned char* values, int* counts, int n, int bins)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&counts[values[i] % bins], 1);
}
