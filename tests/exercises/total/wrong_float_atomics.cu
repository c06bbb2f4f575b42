// fails: correct
// Float in shared memory.
__global__ void total(const int* in, int* out, int n) {
    __shared__ float sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    int s = 0;
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += 1024) s += in[i];
    atomicAdd(&sum, (float)s);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(out, __float2int_rn(sum));
}
