// Running product of each block, done by its first thread alone.
__global__ void prefixProduct(const double *in, double *out)
{
    __shared__ double s[32];
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = in[g];
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < blockDim.x; i++)
            s[i] *= s[i - 1];
    }
    __syncthreads();
    out[g] = s[threadIdx.x];
}
