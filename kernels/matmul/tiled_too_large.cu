// Why not the whole matrix? A block keeps all T rows of M and all T columns of N that it needs: one load phase, one barrier, and no
// element is loaded twice by a block. The shared memory for that, 2 x T x width floats, grows with the matrix; no device has enough of it for long.
// Dynamic shared memory: the size is known only at launch.

__global__ void mm_tiled_too_large(const float* M, const float* N, float* P, int width)
{
    int T = blockDim.x;  // a block has T x T threads
    extern __shared__ float panels[];
    float* Mds = panels;              // T rows of M, each width long
    float* Nds = panels + T * width;  // T columns of N, a row of T for each k

    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = blockIdx.y * T + ty;
    int Col = blockIdx.x * T + tx;

    for (int k = tx; k < width; k += T)
        Mds[ty * width + k] = Row < width ? M[Row * width + k] : 0.0f;
    for (int k = ty; k < width; k += T)
        Nds[k * T + tx] = Col < width ? N[k * width + Col] : 0.0f;
    __syncthreads();

    float sum = 0.0f;
    for (int k = 0; k < width; ++k)
        sum += Mds[ty * width + k] * Nds[k * T + tx];
    if (Row < width && Col < width)
        P[Row * width + Col] = sum;
}
