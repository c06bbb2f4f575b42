// Sum of the weights of each key.
__global__ void bincount(const int *keys, const float *weights, float *sums)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int k = keys[t];
    if (k >= 0 && k < 10)
        atomicAdd(sums + k, weights[t]);
}
