// Tiles, and eight sums per thread: a thread owns eight elements of P that lie in one column, one below the other. What it
// reads from Nds serves eight multiply-adds, where tiled_bounds.cu reads both factors again for each.

template <int Tile, int Depth>  // a block owns Tile x Tile elements of P and has Tile x Depth threads
__global__ void __launch_bounds__(Tile * Depth) mm_register_1d(const float* M, const float* N, float* P, int width)
{
    constexpr int Each = Tile / Depth;  // sums per thread
    __shared__ float Mds[Tile][Depth];
    __shared__ float Nds[Depth][Tile];

    int tx = threadIdx.x, ty = threadIdx.y;
    int t = ty * Tile + tx;  // the same threads in another order, for the tile of M: it is Depth elements wide
    int mRow = t / Depth, mCol = t % Depth;
    int Row = blockIdx.y * Tile + ty * Each;  // the first of this thread's elements
    int Col = blockIdx.x * Tile + tx;

    float sum[Each] = {};
    for (int ph = 0; ph * Depth < width; ++ph) {
        // Still one element of each tile per thread.
        if (blockIdx.y * Tile + mRow < width && ph * Depth + mCol < width)
            Mds[mRow][mCol] = M[(blockIdx.y * Tile + mRow) * width + ph * Depth + mCol];
        else
            Mds[mRow][mCol] = 0.0f;
        if (ph * Depth + ty < width && Col < width)
            Nds[ty][tx] = N[(ph * Depth + ty) * width + Col];
        else
            Nds[ty][tx] = 0.0f;
        __syncthreads();

        for (int k = 0; k < Depth; ++k) {
            float n = Nds[k][tx];
            for (int i = 0; i < Each; ++i)
                sum[i] += Mds[ty * Each + i][k] * n;
        }
        __syncthreads();
    }
    for (int i = 0; i < Each; ++i)
        if (Row + i < width && Col < width)
            P[(Row + i) * width + Col] = sum[i];
}
