// Version 3, taken further: each thread fetches four elements, each a block's width from the last, and adds them up while loading. A
// quarter of the blocks of version 2 do the same work.

__global__ void reduce_v3_fold4(const int* in, int* out, int n)
{
    extern __shared__ int sdata[];

    int tid = threadIdx.x;
    int i = blockIdx.x * (blockDim.x * 4) + tid;
    int sum = 0;
    for (int k = 0; k < 4; ++k)
        sum += i + k * blockDim.x < n ? in[i + k * blockDim.x] : 0;
    sdata[tid] = sum;
    __syncthreads();

    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0)
        out[blockIdx.x] = sdata[0];
}
