// As naive.cu, but x counts rows and y columns: neighboring threads now lie width elements apart in M and P.

__global__ void mm_naive_swapped(const float* M, const float* N, float* P, int width)
{
    int Row = blockIdx.x * blockDim.x + threadIdx.x;  // the only change: x and y have swapped places
    int Col = blockIdx.y * blockDim.y + threadIdx.y;

    if (Row < width && Col < width) {
        float sum = 0.0f;
        for (int k = 0; k < width; ++k)
            sum += M[Row * width + k] * N[k * width + Col];
        P[Row * width + Col] = sum;
    }
}
