// Transpose with one-dimensional blocks: the thread's number is divided into row and column.
__global__ void tranposeKernel_1D(float *A_d, float *B_d, int n)
{
    int tid = blockDim.x * blockIdx.x + threadIdx.x;
    int row = tid / n;
    int col = tid % n;

    if (row < n && col < n)
    {
        B_d[col * n + row] = A_d[row * n + col];
    }
}
