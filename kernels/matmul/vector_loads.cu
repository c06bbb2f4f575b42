// As register_2d.cu, in accesses of 16 bytes: four elements at a time, into shared memory and out of it. The tile of M
// lies transposed there, so that the elements of one k that a thread needs are neighbors.

// Four elements of a row. What does not exist counts as 0.0.
__device__ float4 load4(const float* matrix, int row, int col, int width)
{
    float4 four = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    const float* from = &matrix[row * width + col];
    if (width % 4 == 0) {  // every row begins on 16 bytes, and the four are all there or all missing
        if (row < width && col < width)
            four = *reinterpret_cast<const float4*>(from);
    } else if (row < width) {
        if (col + 0 < width) four.x = from[0];
        if (col + 1 < width) four.y = from[1];
        if (col + 2 < width) four.z = from[2];
        if (col + 3 < width) four.w = from[3];
    }
    return four;
}

__device__ void store4(float* matrix, int row, int col, int width, float4 four)
{
    float* to = &matrix[row * width + col];
    if (width % 4 == 0) {
        if (row < width && col < width)
            *reinterpret_cast<float4*>(to) = four;
    } else if (row < width) {
        if (col + 0 < width) to[0] = four.x;
        if (col + 1 < width) to[1] = four.y;
        if (col + 2 < width) to[2] = four.z;
        if (col + 3 < width) to[3] = four.w;
    }
}

template <int Tile, int Depth, int Each>  // a block owns Tile x Tile elements of P and has Tile/Each x Tile/Each threads
__global__ void __launch_bounds__((Tile / Each) * (Tile / Each))
mm_vector_loads(const float* M, const float* N, float* P, int width)
{
    constexpr int Side = Tile / Each, Threads = Side * Side;
    __shared__ alignas(16) float Mds[Depth][Tile];  // transposed: Mds[k][row]
    __shared__ alignas(16) float Nds[Depth][Tile];

    int tx = threadIdx.x, ty = threadIdx.y;
    int blockRow = blockIdx.y * Tile, blockCol = blockIdx.x * Tile;

    float sum[Each][Each] = {};
    for (int ph = 0; ph * Depth < width; ++ph) {
        for (int t = 4 * (ty * Side + tx); t < Tile * Depth; t += 4 * Threads) {
            int row = t / Depth, k = t % Depth;
            float4 four = load4(M, blockRow + row, ph * Depth + k, width);
            Mds[k + 0][row] = four.x;
            Mds[k + 1][row] = four.y;
            Mds[k + 2][row] = four.z;
            Mds[k + 3][row] = four.w;
        }
        for (int t = 4 * (ty * Side + tx); t < Tile * Depth; t += 4 * Threads) {
            int k = t / Tile, col = t % Tile;
            *reinterpret_cast<float4*>(&Nds[k][col]) = load4(N, ph * Depth + k, blockCol + col, width);
        }
        __syncthreads();

#pragma unroll
        for (int k = 0; k < Depth; ++k) {
            float m[Each], n[Each];
            for (int i = 0; i < Each; i += 4) {
                *reinterpret_cast<float4*>(&m[i]) = *reinterpret_cast<const float4*>(&Mds[k][ty * Each + i]);
                *reinterpret_cast<float4*>(&n[i]) = *reinterpret_cast<const float4*>(&Nds[k][tx * Each + i]);
            }
            for (int i = 0; i < Each; ++i)
                for (int j = 0; j < Each; ++j)
                    sum[i][j] += m[i] * n[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < Each; ++i)
        for (int j = 0; j < Each; j += 4) {
            float4 four = *reinterpret_cast<const float4*>(&sum[i][j]);
            store4(P, blockRow + ty * Each + i, blockCol + tx * Each + j, width, four);
        }
}
