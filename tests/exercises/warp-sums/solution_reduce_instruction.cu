__global__ void warp_sums(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = i < n ? in[i] : 0;
    int s = __reduce_add_sync(0xffffffff, v);
    if (threadIdx.x % 32 == 0 && i < n) out[i / 32] = s;
}
