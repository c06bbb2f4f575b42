// The plate through tiles in shared memory: a block fetches its T x T cells and a halo one cell wide around them, then
// every thread finds its neighbors there. A thread on the rim of the block fetches a cell of the halo as well.

template <int T>  // tile width; a block has T x T threads
__global__ void stencil_tiled(const float* in, float* out, int rows, int columns)
{
    __shared__ float tile[T + 2][T + 2];

    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;  // its place in the tile: the halo is row and column 0 and T + 1
    int column = blockIdx.x * T + threadIdx.x;
    int row = blockIdx.y * T + threadIdx.y;
    int cell = row * columns + column;
    bool exists = row < rows && column < columns;

    if (exists) {
        tile[ty][tx] = in[cell];
        if (ty == 1 && row > 0) tile[0][tx] = in[cell - columns];
        if (ty == T && row < rows - 1) tile[T + 1][tx] = in[cell + columns];
        if (tx == 1 && column > 0) tile[ty][0] = in[cell - 1];
        if (tx == T && column < columns - 1) tile[ty][T + 1] = in[cell + 1];
    }
    __syncthreads();  // also for threads outside the plate: a barrier is for the whole block
    if (!exists)
        return;

    float here = tile[ty][tx];
    bool isEdge = row == 0 || row == rows - 1 || column == 0 || column == columns - 1;
    if (isEdge) {
        out[cell] = here;
        return;
    }
    float around = tile[ty - 1][tx] + tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty + 1][tx];
    out[cell] = here + 0.125f * (around - 4.0f * here);
}
