// A block of 32 x 8 threads transposes a tile of 32 x 32 elements in shared memory. Its warps read rows of `in` and write
// rows of `out`; the column is taken from the tile, where all its elements lie in one bank.

__global__ void transpose_shared(const float* in, float* out, int rows, int columns)
{
    __shared__ float tile[32][32];

    int x = blockIdx.x * 32 + threadIdx.x;  // column of in
    int y = blockIdx.y * 32 + threadIdx.y;  // row of in
    for (int j = 0; j < 32; j += 8)
        if (x < columns && y + j < rows)
            tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * columns + x];
    __syncthreads();

    x = blockIdx.y * 32 + threadIdx.x;      // column of out
    y = blockIdx.x * 32 + threadIdx.y;      // row of out
    for (int j = 0; j < 32; j += 8)
        if (x < rows && y + j < columns)
            out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}
