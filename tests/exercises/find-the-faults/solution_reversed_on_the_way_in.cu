__global__ void reverse(const int* in, int* out, int n) {
    __shared__ int tile[64];
    const int* from = in + blockIdx.x * 64;
    int count = n - blockIdx.x * 64 < 64 ? n - blockIdx.x * 64 : 64;
    int to = count - 1 - (int)threadIdx.x;
    if (to >= 0) tile[to] = from[threadIdx.x];
    __syncthreads();
    if (to < 0) return;
    out[blockIdx.x * 64 + threadIdx.x] = tile[threadIdx.x];
}
