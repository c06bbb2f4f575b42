// fails: correct
// The sum of whole numbers in float.
__global__ void total(const int* in, int* out, int n) {
    __shared__ float part[4];
    float s = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += in[i];
    for (int d = 16; d; d >>= 1) s += __shfl_down_sync(~0u, s, d);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = s;
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(out, (int)(part[0] + part[1] + part[2] + part[3]));
}
