// Sum with a first addition on load, unrolled steps and a last warp without block barriers.
template <unsigned int blockSize>
__global__ void reduce5(const float *g_idata, float *g_odata)
{
    __shared__ float sdata[blockSize];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockSize * 2) + tid;
    float mine = g_idata[i] + g_idata[i + blockSize];
    sdata[tid] = mine;
    __syncthreads();

    if (blockSize >= 256) { if (tid < 128) sdata[tid] = mine = mine + sdata[tid + 128]; __syncthreads(); }
    if (blockSize >= 128) { if (tid < 64) sdata[tid] = mine = mine + sdata[tid + 64]; __syncthreads(); }

    if (tid < 32) {
        sdata[tid] = mine = mine + sdata[tid + 32]; __syncwarp();
        if (tid < 16) sdata[tid] = mine = mine + sdata[tid + 16]; __syncwarp();
        if (tid < 8) sdata[tid] = mine = mine + sdata[tid + 8]; __syncwarp();
        if (tid < 4) sdata[tid] = mine = mine + sdata[tid + 4]; __syncwarp();
        if (tid < 2) sdata[tid] = mine = mine + sdata[tid + 2]; __syncwarp();
        if (tid < 1) sdata[tid] = mine = mine + sdata[tid + 1];
    }
    if (tid == 0) g_odata[blockIdx.x] = mine;
}
