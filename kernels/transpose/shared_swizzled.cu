// The tile without padding: element (row, column) is stored at column ^ row. A row is a permutation of its banks, and so
// is a column: both use every bank once, and no word of shared memory is wasted.

__global__ void transpose_shared_swizzled(const float* in, float* out, int rows, int columns)
{
    __shared__ float tile[32][32];

    int x = blockIdx.x * 32 + threadIdx.x;  // column of in
    int y = blockIdx.y * 32 + threadIdx.y;  // row of in
    for (int j = 0; j < 32; j += 8) {
        int row = threadIdx.y + j;
        if (x < columns && y + j < rows)
            tile[row][threadIdx.x ^ row] = in[(y + j) * columns + x];
    }
    __syncthreads();

    x = blockIdx.y * 32 + threadIdx.x;      // column of out
    y = blockIdx.x * 32 + threadIdx.y;      // row of out
    for (int j = 0; j < 32; j += 8) {
        int row = threadIdx.x, column = threadIdx.y + j;
        if (x < rows && y + j < columns)
            out[(y + j) * rows + x] = tile[row][column ^ row];
    }
}
