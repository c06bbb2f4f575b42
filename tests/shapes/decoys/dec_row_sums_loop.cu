// Sum of each row, one thread for each.
__global__ void sumRows(const float *mat, float *sums, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows)
    {
        float s = 0;
        for (int i = 0; i < cols; i++)
            s += mat[row * cols + i];
        sums[row] = s;
    }
}
