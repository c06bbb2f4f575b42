// Tiled product whose second barrier is missing: the next tile may overwrite the one in use.
#define TILE 16
__global__ void matmul_tiled(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float s_a[TILE][TILE];
    __shared__ float s_b[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float tmp = 0;
    for (int i = 0; i < k; i += TILE) {
        s_a[threadIdx.y][threadIdx.x] = a[row * k + i + threadIdx.x];
        s_b[threadIdx.y][threadIdx.x] = b[(i + threadIdx.y) * n + col];
        __syncthreads();
        for (int j = 0; j < TILE; j++)
            tmp += s_a[threadIdx.y][j] * s_b[j][threadIdx.x];
    }
    c[row * n + col] = tmp;
}
