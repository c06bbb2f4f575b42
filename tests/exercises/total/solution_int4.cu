__global__ void total(const int* in, int* out, int n) {
    __shared__ int part[128];
    int me = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x, s = 0;
    for (int q = me; q < n / 4; q += all) { int4 v = ((const int4*)in)[q]; s += v.x + v.y + v.z + v.w; }
    for (int i = n / 4 * 4 + me; i < n; i += all) s += in[i];
    part[threadIdx.x] = s;
    for (int w = 64; w; w >>= 1) { __syncthreads(); if (threadIdx.x < w) part[threadIdx.x] += part[threadIdx.x + w]; }
    if (threadIdx.x == 0) { int sum = part[0]; if (sum) atomicAdd(out, sum); }
}
