// Column-major, as in BLAS: C(m x n) = A(m x k) * B(k x n), leading dimensions m and k
__global__ void sgemm_nn(int m, int n, int k, const float* A, const float* B, float* C)
{
    __shared__ float sa[8][32], sb[32][8];
    int t = threadIdx.x, ti = t % 8, tj = t / 8;
    int i0 = blockIdx.x * 32, j0 = blockIdx.y * 32;
    float acc[4][4] = {};
    for (int p = 0; p < k; p += 8) {
        for (int e = t; e < 256; e += 64) {
            sa[e / 32][e % 32] = A[(p + e / 32) * m + i0 + e % 32];
            sb[e / 8][e % 8] = B[(j0 + e / 8) * k + p + e % 8];
        }
        __syncthreads();
        for (int q = 0; q < 8; q++)
            for (int a = 0; a < 4; a++)
                for (int b = 0; b < 4; b++) acc[a][b] += sa[q][ti * 4 + a] * sb[tj * 4 + b][q];
        __syncthreads();
    }
    for (int b = 0; b < 4; b++) for (int a = 0; a < 4; a++) C[(j0 + tj * 4 + b) * m + i0 + ti * 4 + a] = acc[a][b];
}
