// C = A * B in double, all three column by column as in Fortran, in tiles of 8 x 8; mistake: no barrier before the tiles are loaded again.
#define NB 8
#define IDX(i, j, ld) ((j) * (ld) + (i))

__global__ void dgemm_nn(int m, int n, int k,
                         const double *A, int lda,
                         const double *B, int ldb,
                         double *C, int ldc)
{
    __shared__ double Ablk[NB * NB];
    __shared__ double Bblk[NB * NB];

    int i = blockIdx.x * NB + threadIdx.x;   // row
    int j = blockIdx.y * NB + threadIdx.y;   // column
    double cij = 0.0;

    for (int p = 0; p < k; p += NB) {
        Ablk[IDX(threadIdx.x, threadIdx.y, NB)] = A[IDX(i, p + threadIdx.y, lda)];
        Bblk[IDX(threadIdx.x, threadIdx.y, NB)] = B[IDX(p + threadIdx.x, j, ldb)];
        __syncthreads();
        for (int l = 0; l < NB; l++)
            cij = fma(Ablk[IDX(threadIdx.x, l, NB)], Bblk[IDX(l, threadIdx.y, NB)], cij);
    }
    if (i < m && j < n)
        C[IDX(i, j, ldc)] = cij;
}
