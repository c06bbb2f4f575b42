// Thread coarsening: a block reuses its tile of M for COARSE_FACTOR tiles of P side by side.
#define TILE_DIM 8
#define COARSE_FACTOR 4

__global__ void matmul_coarsened(float* M, float* N, float* P, int rows, int inner, int cols)
{
    __shared__ float M_s[TILE_DIM][TILE_DIM];
    __shared__ float N_s[TILE_DIM][TILE_DIM];
    int row = blockIdx.y * TILE_DIM + threadIdx.y;
    int colStart = blockIdx.x * TILE_DIM * COARSE_FACTOR + threadIdx.x;

    float value[COARSE_FACTOR];
    for (int c = 0; c < COARSE_FACTOR; ++c) value[c] = 0.0f;

    for (int tile = 0; tile < inner / TILE_DIM; ++tile) {
        M_s[threadIdx.y][threadIdx.x] = M[row * inner + tile * TILE_DIM + threadIdx.x];
        for (int c = 0; c < COARSE_FACTOR; ++c) {
            int col = colStart + c * TILE_DIM;
            N_s[threadIdx.y][threadIdx.x] = N[(tile * TILE_DIM + threadIdx.y) * cols + col];
            __syncthreads();
            for (int k = 0; k < TILE_DIM; ++k)
                value[c] += M_s[threadIdx.y][k] * N_s[k][threadIdx.x];
            __syncthreads();
        }
    }
    for (int c = 0; c < COARSE_FACTOR; ++c)
        P[row * cols + colStart + c * TILE_DIM] = value[c];
}
