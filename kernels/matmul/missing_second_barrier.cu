// WRONG on purpose: tiled_bounds.cu without its second __syncthreads(). A fast warp loads the next tiles over elements
// that a slow warp still has to read.

template <int T>  // tile width; a block has T x T threads
__global__ void mm_missing_second_barrier(const float* M, const float* N, float* P, int width)
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

        for (int k = 0; k < T; ++k)
            sum += Mds[ty][k] * Nds[k][tx];
        // Here __syncthreads() is missing.
    }
    if (Row < width && Col < width)
        P[Row * width + Col] = sum;
}
