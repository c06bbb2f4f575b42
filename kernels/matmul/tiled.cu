// P = M x N through tiles in shared memory: each element that a block reads from global memory is used T times.
// Correct only where width is a multiple of T: nothing checks whether an element exists.

template <int T>  // tile width; a block has T x T threads
__global__ void mm_tiled(const float* M, const float* N, float* P, int width)
{
    __shared__ float Mds[T][T];
    __shared__ float Nds[T][T];

    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = blockIdx.y * T + ty;
    int Col = blockIdx.x * T + tx;

    float sum = 0.0f;
    for (int ph = 0; ph * T < width; ++ph) {
        // Together, the threads of the block fetch one tile of M and one of N.
        Mds[ty][tx] = M[Row * width + ph * T + tx];
        Nds[ty][tx] = N[(ph * T + ty) * width + Col];
        __syncthreads();  // both tiles are complete before any thread reads them

        for (int k = 0; k < T; ++k)
            sum += Mds[ty][k] * Nds[k][tx];
        __syncthreads();  // all threads are done before any overwrites them
    }
    P[Row * width + Col] = sum;
}
