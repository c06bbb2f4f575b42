// P = M x N, one thread per element of P. Every factor comes straight from global memory: 2 * width loads per thread.

__global__ void mm_naive(const float* M, const float* N, float* P, int width)
{
    int Row = blockIdx.y * blockDim.y + threadIdx.y;
    int Col = blockIdx.x * blockDim.x + threadIdx.x;

    if (Row < width && Col < width) {  // the grid may reach past the matrix
        float sum = 0.0f;
        for (int k = 0; k < width; ++k)
            sum += M[Row * width + k] * N[k * width + Col];
        P[Row * width + Col] = sum;
    }
}
