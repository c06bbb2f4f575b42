// Version 5 for every GPU: __syncwarp() between reading and writing in the last warp, which cc 7.0 and
// later do not guarantee to run in lock step. Unrolled just the same: blockSize decides which steps exist.

template <int blockSize>
__device__ void warp_reduce(int* sdata, int tid)
{
    int sum = sdata[tid];
    for (int s = 32; s > 0; s >>= 1) {
        if (blockSize >= 2 * s) {
            sum += sdata[tid + s];
            __syncwarp();  // all have read
            sdata[tid] = sum;
            __syncwarp();  // all have written
        }
    }
}

template <int blockSize>  // threads of a block: a power of two, 64 to 1024
__global__ void reduce_v5_syncwarp(const int* in, int* out, int n)
{
    __shared__ int sdata[blockSize];

    int tid = threadIdx.x;
    int i = blockIdx.x * (blockSize * 2) + tid;
    int first = i < n ? in[i] : 0;
    int second = i + blockSize < n ? in[i + blockSize] : 0;
    sdata[tid] = first + second;
    __syncthreads();

    if (blockSize >= 1024) {
        if (tid < 512) sdata[tid] += sdata[tid + 512];
        __syncthreads();
    }
    if (blockSize >= 512) {
        if (tid < 256) sdata[tid] += sdata[tid + 256];
        __syncthreads();
    }
    if (blockSize >= 256) {
        if (tid < 128) sdata[tid] += sdata[tid + 128];
        __syncthreads();
    }
    if (blockSize >= 128) {
        if (tid < 64) sdata[tid] += sdata[tid + 64];
        __syncthreads();
    }
    if (tid < 32)
        warp_reduce<blockSize>(sdata, tid);
    if (tid == 0)
        out[blockIdx.x] = sdata[0];
}
