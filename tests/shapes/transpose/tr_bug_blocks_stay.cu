// Tiled transpose that forgets to exchange the block's coordinates: each tile stays where it was.
#define TS 8
__global__ void transposeTiled(float *A, float *B, int width)
{
    __shared__ float tile[TS][TS + 1];
    int col = blockIdx.x * TS + threadIdx.x;
    int row = blockIdx.y * TS + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = A[row * width + col];
    __syncthreads();
    B[row * width + col] = tile[threadIdx.x][threadIdx.y];
}
