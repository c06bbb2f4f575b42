// Tree whose condition is off by one: thread s adds as well.
__global__ void total(const float *values, float *result)
{
    __shared__ float partialSum[2 * 128];
    unsigned int tid = threadIdx.x;
    partialSum[tid] = values[blockIdx.x * blockDim.x + tid];
    partialSum[tid + 128] = 0;
    for (unsigned int s = blockDim.x / 2; s >= 1; s >>= 1) {
        __syncthreads();
        if (tid <= s)
            partialSum[tid] += partialSum[tid + s];
    }
    if (tid == 0)
        result[blockIdx.x] = partialSum[0];
}
