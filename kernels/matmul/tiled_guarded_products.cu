// Tiles with bounds checks, and a check before each product as well: threads without an element of P multiply nothing, and no
// thread multiplies the zeros that pad the last tiles. Correct for every width.

template <int T>  // tile width; a block has T x T threads
__global__ void mm_tiled_guarded_products(const float* M, const float* N, float* P, int width)
{
    __shared__ float Mds[T][T];
    __shared__ float Nds[T][T];

    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = blockIdx.y * T + ty;
    int Col = blockIdx.x * T + tx;

    float sum = 0.0f;
    for (int ph = 0; ph * T < width; ++ph) {
        if (Row < width && ph * T + tx < width)
            Mds[ty][tx] = M[Row * width + ph * T + tx];
        else
            Mds[ty][tx] = 0.0f;
        if (ph * T + ty < width && Col < width)
            Nds[ty][tx] = N[(ph * T + ty) * width + Col];
        else
            Nds[ty][tx] = 0.0f;
        __syncthreads();

        // The barriers stay outside of the checks: every thread of the block has to reach them.
        for (int k = 0; k < T; ++k)
            if (Row < width && Col < width && ph * T + k < width)
                sum += Mds[ty][k] * Nds[k][tx];
        __syncthreads();
    }
    if (Row < width && Col < width)
        P[Row * width + Col] = sum;
}
