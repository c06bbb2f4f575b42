// Version 3: the first addition happens during the load. Each thread fetches two elements, a block's width apart: half as
// many blocks do the same work.

__global__ void reduce_v3(const int* in, int* out, int n)
{
    extern __shared__ int sdata[];

    int tid = threadIdx.x;
    int i = blockIdx.x * (blockDim.x * 2) + tid;
    int first = i < n ? in[i] : 0;
    int second = i + blockDim.x < n ? in[i + blockDim.x] : 0;
    sdata[tid] = first + second;
    __syncthreads();

    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0)
        out[blockIdx.x] = sdata[0];
}
