// fails: load_sectors
// Only M goes through shared memory.
__global__ void multiply(const float* M, const float* N, float* P, int width) {
    __shared__ float a[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, col = blockIdx.x * 16 + tx, row = blockIdx.y * 16 + ty * 4;
    float s[4] = {};
    for (int p = 0; p < width; p += 16) {
        for (int r = 0; r < 4; ++r) a[ty * 4 + r][tx] = row + r < width && p + tx < width ? M[(row + r) * width + p + tx] : 0;
        __syncthreads();
        for (int k = 0; k < 16; ++k) {
            float v = p + k < width && col < width ? N[(p + k) * width + col] : 0;
#pragma unroll
            for (int r = 0; r < 4; ++r) s[r] += a[ty * 4 + r][k] * v;
        }
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < 4; ++r) if (row + r < width && col < width) P[(row + r) * width + col] = s[r];
}
