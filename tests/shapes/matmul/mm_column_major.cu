// Product of column-major matrices, as BLAS stores them.
#define A(i, j) A[(i) + (j) * m]
#define B(i, j) B[(i) + (j) * k]
#define C(i, j) C[(i) + (j) * m]

__global__ void gemm_nn(const float* A, const float* B, float* C, int m, int n, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < m && j < n)
    {
        float cij = 0;
        for (int l = 0; l < k; ++l)
            cij += A(i, l) * B(l, j);
        C(i, j) = cij;
    }
}
