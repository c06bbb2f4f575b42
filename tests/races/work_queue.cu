// Blocks draw work items; nothing keeps thread 0 from drawing the next one before all threads have read this one.
__device__ int drawn;
__global__ void work_queue(const int* in, int* out, int items) {
    __shared__ int item;
    while (true) {
        if (threadIdx.x == 0)
            item = atomicAdd(&drawn, 1);
        __syncthreads();
        if (item >= items)
            return;
        atomicAdd(&out[item], in[item * blockDim.x + threadIdx.x]);
    }
}
