// Tree in shared memory whose barrier stands behind the loop instead of in it.
__global__ void sumBlock(float *in, float *out)
{
    __shared__ float sdata[256];
    int tid = threadIdx.x;
    sdata[tid] = in[blockIdx.x * blockDim.x + tid];
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
    }
    __syncthreads();
    if (tid == 0) out[blockIdx.x] = sdata[0];
}
