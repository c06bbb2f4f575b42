// The top of the ladder: everything is fetched before it is needed, and the multiply-adds hardly ever wait. A block owns
// 256 x 128 elements of P, each of its 8 warps 64 x 64 of them, and each thread 16 x 8, in pieces of 4 x 4.
// - For one k a thread reads 16 + 8 elements from shared memory for 128 multiply-adds (register_2d.cu: 8 + 8 for 64).
// - Lanes that read the same 16 bytes are neighbors, and the hardware serves two of them at once: see laneRow, laneCol.
// - While the elements of one k are multiplied, those of the next come from shared memory; while one tile is multiplied,
//   the next is written to shared memory, and the one after that comes from global memory. It comes through registers,
//   for the tile of M has to be transposed.

constexpr int Rows = 256, Cols = 128, Depth = 8;  // a block's part of P, and how many k a tile has

// The first `count` of four neighbors, which may be none or all. What does not exist counts as 0.0.
__device__ float4 first_of_four(const float* from, int count)
{
    return make_float4(count > 0 ? from[0] : 0.0f, count > 1 ? from[1] : 0.0f,
                       count > 2 ? from[2] : 0.0f, count > 3 ? from[3] : 0.0f);
}

__global__ void __launch_bounds__(256, 1) mm_warp_tiled(const float* M, const float* N, float* P, int width)
{
    __shared__ alignas(16) float Mds[2][Depth][Rows];  // transposed: Mds[buffer][k][row]
    __shared__ alignas(16) float Nds[2][Depth][Cols];

    // The lanes of a warp make 4 rows of 8. Lanes n and n ^ 1 are in one row and read the same of M; lanes n and n ^ 2 are
    // in one column and read the same of N.
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int laneRow = (lane >> 1 & 1) + (lane >> 4) * 2, laneCol = (lane & 1) + (lane >> 2 & 3) * 2;
    int Row = warp / 2 * 64 + laneRow * 4, Col = warp % 2 * 64 + laneCol * 4;  // this thread's first element in the block
    int blockRow = blockIdx.y * Rows, blockCol = blockIdx.x * Cols;
    bool aligned = width % 4 == 0;  // every row of a matrix begins on 16 bytes

    // What this thread brings: a row of the tile of M, eight elements, and four neighbors of the tile of N. Rows and
    // columns past the end are replaced by the last ones: their results are stored nowhere.
    int mRow = t, nRow = warp, nCol = lane * 4;
    const float* mFrom = M + min(blockRow + mRow, width - 1) * width;
    const float* nFrom = N + nRow * width + min(blockCol + nCol, aligned ? width - 4 : width - 1);
    float4 mNext[2], nNext;

    auto fetch = [&](int tile) {
        int k = tile * Depth;
        if (aligned && k + Depth <= width) {
            for (int i = 0; i < 2; ++i)
                mNext[i] = *reinterpret_cast<const float4*>(mFrom + k + 4 * i);
            nNext = *reinterpret_cast<const float4*>(nFrom + k * width);
        } else {
            for (int i = 0; i < 2; ++i)
                mNext[i] = first_of_four(mFrom + k + 4 * i, width - k - 4 * i);
            int nCount = aligned ? 4 : width - blockCol - nCol;
            nNext = first_of_four(nFrom + k * width, k + nRow < width ? nCount : 0);
        }
    };
    auto store = [&](int buffer) {
        for (int i = 0; i < 2; ++i) {
            Mds[buffer][4 * i + 0][mRow] = mNext[i].x;
            Mds[buffer][4 * i + 1][mRow] = mNext[i].y;
            Mds[buffer][4 * i + 2][mRow] = mNext[i].z;
            Mds[buffer][4 * i + 3][mRow] = mNext[i].w;
        }
        *reinterpret_cast<float4*>(&Nds[buffer][nRow][nCol]) = nNext;
    };

    float m[2][16], n[2][8];  // the factors of one k and of the next
    auto read = [&](int buffer, int k) {
        for (int i = 0; i < 16; i += 4)
            *reinterpret_cast<float4*>(&m[k % 2][i]) = *reinterpret_cast<const float4*>(&Mds[buffer][k][Row + 4 * i]);
        for (int j = 0; j < 8; j += 4)
            *reinterpret_cast<float4*>(&n[k % 2][j]) = *reinterpret_cast<const float4*>(&Nds[buffer][k][Col + 8 * j]);
    };

    float sum[16][8] = {};
    fetch(0);
    store(0);
    fetch(1);
    __syncthreads();
    read(0, 0);
    for (int tile = 0; tile * Depth < width; ++tile) {
#pragma unroll
        for (int k = 0; k < Depth; ++k) {
            if (k == 3) {
                store((tile + 1) % 2);
                fetch(tile + 2);
            }
            if (k == Depth - 1)
                __syncthreads();  // the next tile is complete, and all threads are done with this one
            read((tile + (k + 1) / Depth) % 2, (k + 1) % Depth);

            // Odd rows from right to left: the element of N that ends one row of products begins the next.
            for (int i = 0; i < 16; ++i)
                for (int j = 0; j < 8; ++j) {
                    int jj = i % 2 == 0 ? j : 7 - j;
                    sum[i][jj] += m[k % 2][i] * n[k % 2][jj];
                }
        }
    }

    for (int i = 0; i < 16; ++i)
        for (int j = 0; j < 8; j += 4) {
            int row = blockRow + Row + i / 4 * 16 + i % 4, col = blockCol + Col + j * 8;
            if (row < width) {
                if (aligned) {
                    if (col < width)
                        *reinterpret_cast<float4*>(&P[row * width + col]) = *reinterpret_cast<const float4*>(&sum[i][j]);
                } else {
                    for (int c = 0; c < 4; ++c)
                        if (col + c < width)
                            P[row * width + col + c] = sum[i][j + c];
                }
            }
        }
}
