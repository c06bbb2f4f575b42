// Exercise: each thread computes one whole row of the output matrix.
__global__ void matmulRowPerThread(float *A, float *B, float *C, int m, int k, int n)
{
    int row = threadIdx.x + blockIdx.x * blockDim.x;
    if (row < m)
    {
        for (int col = 0; col < n; ++col)
        {
            float sum = 0;
            for (int i = 0; i < k; ++i)
                sum += A[row * k + i] * B[i * n + col];
            C[row * n + col] = sum;
        }
    }
}
