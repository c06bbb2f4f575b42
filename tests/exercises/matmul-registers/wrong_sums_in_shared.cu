// fails: shared_requests
// The sums lie in shared memory.
__global__ void multiply(const float* M, const float* N, float* P, int width) {
    __shared__ float a[16][16], b[16][16], c[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, col = blockIdx.x * 16 + tx, row = blockIdx.y * 16 + ty * 4;
    for (int r = 0; r < 4; ++r) c[ty * 4 + r][tx] = 0;
    for (int p = 0; p < width; p += 16) {
        for (int r = 0; r < 4; ++r) {
            a[ty * 4 + r][tx] = row + r < width && p + tx < width ? M[(row + r) * width + p + tx] : 0;
            b[ty * 4 + r][tx] = p + ty * 4 + r < width && col < width ? N[(p + ty * 4 + r) * width + col] : 0;
        }
        __syncthreads();
        for (int k = 0; k < 16; ++k) { float v = b[k][tx]; for (int r = 0; r < 4; ++r) c[ty * 4 + r][tx] += a[ty * 4 + r][k] * v; }
        __syncthreads();
    }
    for (int r = 0; r < 4; ++r) if (row + r < width && col < width) P[(row + r) * width + col] = c[ty * 4 + r][tx];
}
