// The tile with one extra column. An element and the one below it are 33 words apart and so in
// neighboring banks: a column of the tile uses every bank once.

__global__ void transpose_shared_padded(const float* in, float* out, int rows, int columns)
{
    __shared__ float tile[32][33];

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
