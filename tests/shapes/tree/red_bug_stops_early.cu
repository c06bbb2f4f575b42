// Tree that stops one level too early.
__global__ void reduce(int *a, int *r, int n)
{
    __shared__ int sm[64];
    int t = threadIdx.x, g = blockIdx.x * blockDim.x + threadIdx.x;
    sm[t] = g < n ? a[g] : 0;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 1; s >>= 1)
    {
        if (t < s) sm[t] += sm[t + s];
        __syncthreads();
    }
    if (t == 0) r[blockIdx.x] = sm[0];
}
