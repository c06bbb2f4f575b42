// Tiles, with the number of tiles computed as width / T. Integer division rounds down: where width is no multiple of T, the last
// width % T products of every sum are never added. Nothing checks whether an element exists, as in tiled.cu.

template <int T>  // tile width; a block has T x T threads
__global__ void mm_tiled_truncated(const float* M, const float* N, float* P, int width)
{
    __shared__ float Mds[T][T];
    __shared__ float Nds[T][T];

    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = blockIdx.y * T + ty;
    int Col = blockIdx.x * T + tx;

    float sum = 0.0f;
    for (int ph = 0; ph < width / T; ++ph) {  // should be (width + T - 1) / T, the quotient rounded up
        Mds[ty][tx] = M[Row * width + ph * T + tx];
        Nds[ty][tx] = N[(ph * T + ty) * width + Col];
        __syncthreads();

        for (int k = 0; k < T; ++k)
            sum += Mds[ty][k] * Nds[k][tx];
        __syncthreads();
    }
    P[Row * width + Col] = sum;
}
