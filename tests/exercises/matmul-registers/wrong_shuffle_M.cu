// fails: shuffles
// M stays in registers and goes round by shuffles; only N is in shared memory.
__global__ void multiply(const float* M, const float* N, float* P, int width) {
    __shared__ float tile[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, col = blockIdx.x * 16 + tx, row = blockIdx.y * 16 + ty * 4;
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (int p = 0; p < width; p += 16) {
        float m[4];
#pragma unroll
        for (int r = 0; r < 4; ++r) {
            m[r] = row + r < width && p + tx < width ? M[(row + r) * width + p + tx] : 0;
            tile[ty * 4 + r][tx] = p + ty * 4 + r < width && col < width ? N[(p + ty * 4 + r) * width + col] : 0;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; ++k) {
            float v = tile[k][tx];
            s0 += __shfl_sync(~0u, m[0], k, 16) * v; s1 += __shfl_sync(~0u, m[1], k, 16) * v;
            s2 += __shfl_sync(~0u, m[2], k, 16) * v; s3 += __shfl_sync(~0u, m[3], k, 16) * v;
        }
        __syncthreads();
    }
    if (col >= width) return;
    if (row < width) P[row * width + col] = s0;
    if (row + 1 < width) P[(row + 1) * width + col] = s1;
    if (row + 2 < width) P[(row + 2) * width + col] = s2;
    if (row + 3 < width) P[(row + 3) * width + col] = s3;
}
