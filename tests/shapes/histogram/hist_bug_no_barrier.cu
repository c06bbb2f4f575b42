// Privatized histogram without barriers between clearing, counting and merging.
__global__ void histogram_privatized_kernel(const unsigned char *input, unsigned int *bins, int n)
{
    __shared__ unsigned int priv[64];
    priv[threadIdx.x] = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&priv[input[i] / 4], 1);
    atomicAdd(&bins[threadIdx.x], priv[threadIdx.x]);
}
