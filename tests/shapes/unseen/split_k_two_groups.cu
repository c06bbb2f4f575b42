// two halves of k by two groups of threads, put together in shared memory; 1x2 sums each
__global__ void splitk(const float* A, const float* B, float* C, int n)
{
    __shared__ float part[2][8][16];
    int g = threadIdx.z, x = threadIdx.x * 2, y = threadIdx.y;
    int row = blockIdx.y * 8 + y, col = blockIdx.x * 16 + x;
    float s0 = 0, s1 = 0;
    for (int k = g * (n / 2); k < (g + 1) * (n / 2); k++) { float a = A[row * n + k]; s0 += a * B[k * n + col]; s1 += a * B[k * n + col + 1]; }
    part[g][y][x] = s0; part[g][y][x + 1] = s1;
    __syncthreads();
    if (g == 0) { C[row * n + col] = part[0][y][x] + part[1][y][x]; C[row * n + col + 1] = part[0][y][x + 1] + part[1][y][x + 1]; }
}
