// Running maximum of each block.
__global__ void prefix_max(const float *in, float *out)
{
    __shared__ float s[64];
    int tid = threadIdx.x;
    int gid = blockDim.x * blockIdx.x + tid;
    s[tid] = in[gid];
    __syncthreads();
    for (int step = 1; step < 64; step <<= 1) {
        float other = tid >= step ? s[tid - step] : s[tid];
        __syncthreads();
        s[tid] = fmaxf(s[tid], other);
        __syncthreads();
    }
    out[gid] = s[tid];
}
