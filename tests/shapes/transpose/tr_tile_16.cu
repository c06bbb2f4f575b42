// Transpose through a square tile in shared memory, without padding; blockIdx.x counts the output's columns.
#define TILE 16

__global__ void transpose_shared(double *dst, const double *src, int cols, int rows)
{
    __shared__ double block[TILE][TILE];
    int c = blockIdx.y * TILE + threadIdx.x;
    int r = blockIdx.x * TILE + threadIdx.y;
    if (c < cols && r < rows)
        block[threadIdx.y][threadIdx.x] = src[r * cols + c];
    __syncthreads();
    int oc = blockIdx.x * TILE + threadIdx.x;
    int orow = blockIdx.y * TILE + threadIdx.y;
    if (oc < rows && orow < cols)
        dst[orow * rows + oc] = block[threadIdx.x][threadIdx.y];
}
