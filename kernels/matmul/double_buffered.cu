// As padded.cu, with two tiles of each matrix: while the block multiplies with one pair, the next pair is on its way. The
// copies go from global to shared memory past the registers, and no thread waits for them before it needs them (cp.async,
// from compute capability 8.0 on). One barrier per phase is enough.

// Starts a copy of Elements neighbors, 1 or 4. What does not exist is not read: zeros are written.
template <int Elements>
__device__ void copy_async(float* shared, const float* global, bool exists)
{
    constexpr int Bytes = Elements * sizeof(float);
    unsigned to = __cvta_generic_to_shared(shared);
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;"
                 :: "r"(to), "l"(global), "n"(Bytes), "r"(exists ? Bytes : 0) : "memory");
}

// Waits for all copies that this thread has started.
__device__ void wait_for_copies()
{
    asm volatile("cp.async.wait_all;" ::: "memory");
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
mm_double_buffered(const float* M, const float* N, float* P, int width)
{
    constexpr int Side = Tile / Each, Threads = Side * Side;
    __shared__ alignas(16) float Mds[2][Depth][Tile + 4];  // transposed: Mds[buffer][k][row]
    __shared__ alignas(16) float Nds[2][Depth][Tile];

    int tx = threadIdx.x, ty = threadIdx.y;
    int blockRow = blockIdx.y * Tile, blockCol = blockIdx.x * Tile;

    auto fetch = [&](int ph) {
        for (int t = ty * Side + tx; t < Tile * Depth; t += Threads) {
            int k = t % Depth, row = blockRow + t / Depth, col = ph * Depth + k;
            copy_async<1>(&Mds[ph % 2][k][t / Depth], &M[row * width + col], row < width && col < width);
        }
        for (int t = 4 * (ty * Side + tx); t < Tile * Depth; t += 4 * Threads) {
            int row = ph * Depth + t / Tile, col = blockCol + t % Tile;
            float* to = &Nds[ph % 2][t / Tile][t % Tile];
            const float* from = &N[row * width + col];
            if (width % 4 == 0)
                copy_async<4>(to, from, row < width && col < width);
            else
                for (int i = 0; i < 4; ++i)
                    copy_async<1>(to + i, from + i, row < width && col + i < width);
        }
    };

    float sum[Each][Each] = {};
    fetch(0);
    for (int ph = 0; ph * Depth < width; ++ph) {
        wait_for_copies();
        __syncthreads();  // all copies have arrived, and all threads are done with the other pair of tiles
        if ((ph + 1) * Depth < width)
            fetch(ph + 1);

#pragma unroll
        for (int k = 0; k < Depth; ++k) {
            float m[Each], n[Each];
            for (int i = 0; i < Each; i += 4) {
                *reinterpret_cast<float4*>(&m[i]) = *reinterpret_cast<const float4*>(&Mds[ph % 2][k][ty * Each + i]);
                *reinterpret_cast<float4*>(&n[i]) = *reinterpret_cast<const float4*>(&Nds[ph % 2][k][tx * 4 + i * Side]);
            }
            for (int i = 0; i < Each; ++i)
                for (int j = 0; j < Each; ++j)
                    sum[i][j] += m[i] * n[j];
        }
    }
    for (int i = 0; i < Each; ++i)
        for (int j = 0; j < Each; j += 4) {
            float4 four = *reinterpret_cast<const float4*>(&sum[i][j]);
            store4(P, blockRow + ty * Each + i, blockCol + tx * 4 + j * Side, width, four);
        }
}
