// Adds the sum of all blocks before to the elements of a block.
__global__ void uniformAdd(float *data, const float *scannedSums)
{
    __shared__ float sum;
    if (blockIdx.x == 0) return;
    if (threadIdx.x == 0)
        sum = scannedSums[blockIdx.x - 1];
    __syncthreads();
    data[blockIdx.x * blockDim.x + threadIdx.x] += sum;
}
