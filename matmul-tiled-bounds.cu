// Tiles with bounds checks: correct for every width.
// Three different checks, because a thread loads an element of M, an element of N, and owns an element of P;
// a thread that owns none must still load for the others.

template <int T>  // tile width; a block has T x T threads
__global__ void mm_tiled_bounds(const float* M, const float* N, float* P, int width)
{
    __shared__ float Mds[T][T];
    __shared__ float Nds[T][T];

    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = blockIdx.y * T + ty;
    int Col = blockIdx.x * T + tx;

    float sum = 0.0f;
    for (int ph = 0; ph * T < width; ++ph) {
        // What does not exist counts as 0.0, which changes no sum.
        if (Row < width && ph * T + tx < width)
            Mds[ty][tx] = M[Row * width + ph * T + tx];
        else
            Mds[ty][tx] = 0.0f;
        if (ph * T + ty < width && Col < width)
            Nds[ty][tx] = N[(ph * T + ty) * width + Col];
        else
            Nds[ty][tx] = 0.0f;
        __syncthreads();

        for (int k = 0; k < T; ++k)
            sum += Mds[ty][k] * Nds[k][tx];
        __syncthreads();
    }
    if (Row < width && Col < width)
        P[Row * width + Col] = sum;
}
