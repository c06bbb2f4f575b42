// Inclusive scan in one buffer with only one barrier at each level.
__global__ void scan_inclusive(float *in, float *out)
{
    __shared__ float sh[128];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    sh[tid] = in[i];
    __syncthreads();
    for (int stride = 1; stride < blockDim.x; stride *= 2)
    {
        if (tid >= stride)
            sh[tid] += sh[tid - stride];
        __syncthreads();
    }
    out[i] = sh[tid];
}
