// doubles; only the left operand is kept in shared memory
__global__ void dgemm(double* C, const double* A, const double* B, int n)
{
    __shared__ double strip[8][32];
    int col = blockIdx.x * 32 + threadIdx.x, row0 = blockIdx.y * 8;
    double s[8] = {};
    for (int k0 = 0; k0 < n; k0 += 32) {
        for (int i = 0; i < 8; i++) strip[i][threadIdx.x] = A[(row0 + i) * n + k0 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 32; k++) {
            double b = B[(k0 + k) * n + col];
            for (int i = 0; i < 8; i++) s[i] += strip[i][k] * b;
        }
        __syncthreads();
    }
    for (int i = 0; i < 8; i++) C[(row0 + i) * n + col] = s[i];
}
