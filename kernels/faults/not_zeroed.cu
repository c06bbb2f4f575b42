// Each block adds up its elements with atomics in shared memory.

__global__ void block_totals(const int* in, int* totals, int n)
{
    __shared__ int total;

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&total, in[i]);
    __syncthreads();

    if (threadIdx.x == 0)
        totals[blockIdx.x] = total;
}
