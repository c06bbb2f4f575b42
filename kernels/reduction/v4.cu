// Version 4: the last warp is unrolled. Once a single warp works, no other thread need be waited for, so the last six steps
// have no barrier and no test. This relies on a warp's lanes running in lock step, and on volatile to have each sum
// stored before the next is read. cc 7.0 and later do not promise lock step: v4_syncwarp.cu is correct there, too.

__device__ void warp_reduce(volatile int* sdata, int tid)
{
    sdata[tid] += sdata[tid + 32];
    sdata[tid] += sdata[tid + 16];
    sdata[tid] += sdata[tid + 8];
    sdata[tid] += sdata[tid + 4];
    sdata[tid] += sdata[tid + 2];
    sdata[tid] += sdata[tid + 1];
}

__global__ void reduce_v4(const int* in, int* out, int n)
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
