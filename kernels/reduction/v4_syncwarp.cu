// Version 4 for every GPU: __syncwarp() says what version 4 took for granted. The sum stays in a register; between
// reading a neighbor's word and overwriting one's own, all lanes synchronize: otherwise a fast lane would overwrite what a slow
// one still reads.

__device__ void warp_reduce(int* sdata, int tid)
{
    int sum = sdata[tid];
    for (int s = 32; s > 0; s >>= 1) {
        sum += sdata[tid + s];
        __syncwarp();  // all have read
        sdata[tid] = sum;
        __syncwarp();  // all have written
    }
}

__global__ void reduce_v4_syncwarp(const int* in, int* out, int n)
{
    extern __shared__ int sdata[];

    int tid = threadIdx.x;
    int i = blockIdx.x * (blockDim.x * 2) + tid;
    int first = i < n ? in[i] : 0;
    int second = i + blockDim.x < n ? in[i + blockDim.x] : 0;
    sdata[tid] = first + second;
    __syncthreads();

    for (int s = blockDim.x / 2; s > 32; s >>= 1) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid < 32)
        warp_reduce(sdata, tid);
    if (tid == 0)
        out[blockIdx.x] = sdata[0];
}
