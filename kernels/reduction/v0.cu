// The sum of each block's elements, version 0: interleaved addressing. In each step the threads whose number is a
// multiple of 2 * s add what lies s further on. They are spread over all warps: every warp diverges, and % is slow.

__global__ void reduce_v0(const int* in, int* out, int n)
{
    extern __shared__ int sdata[];

    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    sdata[tid] = i < n ? in[i] : 0;  // what does not exist counts as 0, which changes no sum
    __syncthreads();

    for (int s = 1; s < blockDim.x; s *= 2) {
        if (tid % (2 * s) == 0)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0)
        out[blockIdx.x] = sdata[0];
}
