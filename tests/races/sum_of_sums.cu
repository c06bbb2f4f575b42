// Each block adds up in shared memory, and one thread adds the block's sum to that of all, before all have added.
__global__ void sum_of_sums(const int* in, int* total, int n) {
    __shared__ int mine;
    if (threadIdx.x == 0) mine = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&mine, in[i]);
    if (threadIdx.x == blockDim.x - 1) atomicAdd(total, mine);
}
