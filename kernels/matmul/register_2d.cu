// Each thread owns a square of P, Each x Each elements. For one k it fetches Each elements of M and Each of N from shared
// memory into registers, and every one of them serves Each multiply-adds: with 8 x 8, 16 reads for 64.

template <int Tile, int Depth, int Each>  // a block owns Tile x Tile elements of P and has Tile/Each x Tile/Each threads
__global__ void __launch_bounds__((Tile / Each) * (Tile / Each))
mm_register_2d(const float* M, const float* N, float* P, int width)
{
    constexpr int Side = Tile / Each, Threads = Side * Side;
    __shared__ float Mds[Tile][Depth];
    __shared__ float Nds[Depth][Tile];

    int tx = threadIdx.x, ty = threadIdx.y;
    int blockRow = blockIdx.y * Tile, blockCol = blockIdx.x * Tile;

    float sum[Each][Each] = {};
    for (int ph = 0; ph * Depth < width; ++ph) {
        for (int t = ty * Side + tx; t < Tile * Depth; t += Threads) {
            int row = blockRow + t / Depth, col = ph * Depth + t % Depth;
            Mds[t / Depth][t % Depth] = row < width && col < width ? M[row * width + col] : 0.0f;
        }
        for (int t = ty * Side + tx; t < Tile * Depth; t += Threads) {
            int row = ph * Depth + t / Tile, col = blockCol + t % Tile;
            Nds[t / Tile][t % Tile] = row < width && col < width ? N[row * width + col] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < Depth; ++k) {
            float m[Each], n[Each];
            for (int i = 0; i < Each; ++i) {
                m[i] = Mds[ty * Each + i][k];
                n[i] = Nds[k][tx * Each + i];
            }
            for (int i = 0; i < Each; ++i)
                for (int j = 0; j < Each; ++j)
                    sum[i][j] += m[i] * n[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < Each; ++i)
        for (int j = 0; j < Each; ++j) {
            int row = blockRow + ty * Each + i, col = blockCol + tx * Each + j;
            if (row < width && col < width)
                P[row * width + col] = sum[i][j];
        }
}
