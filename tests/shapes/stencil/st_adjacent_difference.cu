// Differences of neighbors, with the block's elements in shared memory.
__global__ void adj_diff(const int *input, int *result)
{
    __shared__ int s_data[128];
    unsigned int tx = threadIdx.x;
    unsigned int i = blockDim.x * blockIdx.x + tx;
    s_data[tx] = input[i];
    __syncthreads();
    if (tx > 0)
        result[i] = s_data[tx] - s_data[tx - 1];
    else if (i > 0)
        result[i] = s_data[tx] - input[i - 1];
    else
        result[i] = s_data[tx];
}
