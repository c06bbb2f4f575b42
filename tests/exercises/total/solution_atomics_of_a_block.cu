__global__ void total(const int* in, int* out, int n) {
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    int v = 0;
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += 1024) v += in[i];
    atomicAdd(&sum, v);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(out, sum);
}
