// Both tiles in shared memory, one of them swizzled.
__global__ void symmetrize(const float* in, float* out, int width) {
    __shared__ float own[32][32], other[32][32];
    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32, x = threadIdx.x;
    for (int y = threadIdx.y; y < 32; y += 8) {
        own[y][x] = y0 + y < width && x0 + x < width ? in[(y0 + y) * width + x0 + x] : 0;
        other[y][x ^ y] = x0 + y < width && y0 + x < width ? in[(x0 + y) * width + y0 + x] : 0;
    }
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += 8) if (y0 + y < width && x0 + x < width) out[(y0 + y) * width + x0 + x] = own[y][x] + other[x][y ^ x];
}
