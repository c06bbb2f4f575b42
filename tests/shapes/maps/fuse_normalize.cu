// Divides the elements of each block by their sum.
__global__ void normalizeBlocks(const float *in, float *out)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    int g = blockIdx.x * blockDim.x + t;
    float mine = in[g];
    s[t] = mine;
    for (int d = 32; d > 0; d >>= 1)
    {
        __syncthreads();
        if (t < d)
            s[t] += s[t + d];
    }
    __syncthreads();
    out[g] = mine / s[0];
}
