// Histogram with atomics in global memory, one value for each thread.
__global__ void hist_naive(const int *values, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[values[i]], 1);
}
