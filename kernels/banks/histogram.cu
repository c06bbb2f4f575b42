// One weighted histogram for the whole block. Lanes whose values fall into the same bin add one after another.

__global__ void histogram(const int* values, const int* weights, int* bins, int n, int kinds)
{
    __shared__ int sums[64];

    for (int b = threadIdx.x; b < 64; b += blockDim.x)
        sums[b] = 0;
    __syncthreads();

    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicAdd(&sums[values[i] % kinds], weights[i]);
    __syncthreads();

    for (int b = threadIdx.x; b < 64; b += blockDim.x)
        bins[b] = sums[b];
}
