// Cleared and added up four counters at a time.
__global__ void count64(const unsigned char* values, int* counts, int n) {
    __shared__ __align__(16) unsigned char c[64 * 64];
    int t = threadIdx.x, s = 0;
    for (int k = 0; k < 4; ++k) ((uint4*)c)[k * 64 + t] = make_uint4(0, 0, 0, 0);
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) ++c[values[i] * 64 + t];
    __syncthreads();
    for (int k = 0; k < 16; ++k) { uchar4 v = ((const uchar4*)c)[t * 16 + (k + t) % 16]; s += v.x + v.y + v.z + v.w; }
    if (s != 0) atomicAdd(counts + t, s);
}
