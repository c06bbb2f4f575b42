// At the speed of a copy: four loads of 16 bytes transpose a 4 x 4 piece of the matrix in registers, a tile in shared
// memory transposes the pieces, and all accesses to global memory are 16 bytes wide and run along rows. blockIdx.x counts tiles down
// the rows of in: blocks that run at the same time then write neighboring pieces of the same rows of out.

__device__ float4 load4(const float* row, int column, int columns)
{
    if (columns % 4 == 0)  // every row begins on 16 bytes, and the four are all there or all missing
        return column < columns ? *reinterpret_cast<const float4*>(&row[column]) : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    return make_float4(column + 0 < columns ? row[column + 0] : 0.0f, column + 1 < columns ? row[column + 1] : 0.0f,
                       column + 2 < columns ? row[column + 2] : 0.0f, column + 3 < columns ? row[column + 3] : 0.0f);
}

__device__ void store4(float* row, int column, int columns, float4 four)
{
    if (columns % 4 == 0) {
        if (column < columns)
            *reinterpret_cast<float4*>(&row[column]) = four;
        return;
    }
    if (column + 0 < columns) row[column + 0] = four.x;
    if (column + 1 < columns) row[column + 1] = four.y;
    if (column + 2 < columns) row[column + 2] = four.z;
    if (column + 3 < columns) row[column + 3] = four.w;
}

// A block transposes 64 x 64 elements: 16 x 16 threads, 4 x 4 elements each.
__global__ void __launch_bounds__(256)
transpose_registers_shared(const float* in, float* out, int rows, int columns)
{
    // tile[column][four rows]: a row of out. Piece p of a row is stored at p ^ column / 4 % 8, so that the eight threads
    // whose 16 bytes are accessed together use different banks, in a row as well as in a column.
    __shared__ float4 tile[64][16];

    int tx = threadIdx.x, ty = threadIdx.y;
    int y = 64 * blockIdx.x, x = 64 * blockIdx.y;  // first row and column of the tile in in

    float4 piece[4];
    for (int i = 0; i < 4; ++i) {
        int row = y + 4 * ty + i;
        piece[i] = row < rows ? load4(&in[row * columns], x + 4 * tx, columns) : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    }
    int p = ty ^ tx % 8;
    tile[4 * tx + 0][p] = make_float4(piece[0].x, piece[1].x, piece[2].x, piece[3].x);
    tile[4 * tx + 1][p] = make_float4(piece[0].y, piece[1].y, piece[2].y, piece[3].y);
    tile[4 * tx + 2][p] = make_float4(piece[0].z, piece[1].z, piece[2].z, piece[3].z);
    tile[4 * tx + 3][p] = make_float4(piece[0].w, piece[1].w, piece[2].w, piece[3].w);
    __syncthreads();

    for (int i = 0; i < 64; i += 16) {
        int column = ty + i;
        if (x + column < columns)
            store4(&out[(x + column) * rows], y + 4 * tx, rows, tile[column][tx ^ column / 4 % 8]);
    }
}
