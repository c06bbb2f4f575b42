// Tiled product that rounds the number of tiles down: the last, incomplete tile is left out.
#define TILE_WIDTH 8
__global__ void MatrixMul(float *A, float *B, float *C, int M, int K, int N)
{
    __shared__ float ds_A[TILE_WIDTH][TILE_WIDTH];
    __shared__ float ds_B[TILE_WIDTH][TILE_WIDTH];
    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = blockIdx.y * TILE_WIDTH + ty;
    int Col = blockIdx.x * TILE_WIDTH + tx;
    float Cvalue = 0.0;

    for (int t = 0; t < K / TILE_WIDTH; ++t) {
        ds_A[ty][tx] = A[Row * K + t * TILE_WIDTH + tx];
        ds_B[ty][tx] = B[(t * TILE_WIDTH + ty) * N + Col];
        __syncthreads();
        for (int i = 0; i < TILE_WIDTH; ++i)
            Cvalue += ds_A[ty][i] * ds_B[i][tx];
        __syncthreads();
    }
    if (Row < M && Col < N)
        C[Row * N + Col] = Cvalue;
}
