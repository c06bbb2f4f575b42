// Each block counts in a copy of its own in shared memory, where atomics are near and only the block's threads meet.
// At the end every bin of every copy goes to global memory with one atomicAdd().

__global__ void histogram_private(const unsigned char* values, int* counts, int n, int bins)
{
    extern __shared__ int copy[];

    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x)
        copy[bin] = 0;
    __syncthreads();  // the copy is zeroed before any thread counts

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&copy[values[i] % bins], 1);
    __syncthreads();  // all threads have counted before any adds up

    for (int bin = threadIdx.x; bin < bins; bin += blockDim.x)
        atomicAdd(&counts[bin], copy[bin]);
}
