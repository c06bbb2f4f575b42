// C = alpha * A * B + beta * C for parts of larger row-major matrices with leading dimensions.
__global__ void dgemm_ld(int m, int n, int k, double alpha, const double *A, int lda,
                         const double *B, int ldb, double beta, double *C, int ldc)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < m && col < n) {
        double dot = 0.0;
        const double *a = A + row * lda;
        const double *b = B + col;
        for (int p = 0; p < k; ++p, b += ldb)
            dot += a[p] * *b;
        C[row * ldc + col] = alpha * dot + beta * C[row * ldc + col];
    }
}
