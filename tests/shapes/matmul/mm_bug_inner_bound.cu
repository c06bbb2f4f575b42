// Naive product whose inner loop stops one element too early.
__global__ void matrixMultiply(float *A, float *B, float *C, int numARows, int numACols, int numBCols)
{
    int Row = blockIdx.y * blockDim.y + threadIdx.y;
    int Col = blockIdx.x * blockDim.x + threadIdx.x;
    if (Row < numARows && Col < numBCols) {
        float Pvalue = 0;
        for (int k = 0; k < numACols - 1; ++k)
            Pvalue += A[Row * numACols + k] * B[k * numBCols + Col];
        C[Row * numBCols + Col] = Pvalue;
    }
}
