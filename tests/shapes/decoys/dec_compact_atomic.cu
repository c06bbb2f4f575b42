// Keeps the positive elements; an atomic counter gives out their places.
__global__ void filterPositive(const int *src, int *dst, int *nres, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n && src[i] > 0)
        dst[atomicAdd(nres, 1)] = src[i];
}
