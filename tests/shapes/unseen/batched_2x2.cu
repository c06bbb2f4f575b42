__global__ void bgemm(const float* a, const float* b, float* c, int m, int n, int k)
{
    const float* A = a + blockIdx.z * m * k; const float* B = b + blockIdx.z * k * n; float* C = c + blockIdx.z * m * n;
    __shared__ float as[16][17], bs[16][17];
    int x = threadIdx.x, y = threadIdx.y;
    int r0 = blockIdx.y * 16 + 2 * y, c0 = blockIdx.x * 16 + 2 * x;
    float p = 0, q = 0, r = 0, s = 0;
    for (int kk = 0; kk < k; kk += 16) {
        for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) {
            as[2 * y + i][2 * x + j] = A[(r0 + i) * k + kk + 2 * x + j];
            bs[2 * y + i][2 * x + j] = B[(kk + 2 * y + i) * n + c0 + j];
        }
        __syncthreads();
        for (int t = 0; t < 16; t++) {
            p += as[2*y][t] * bs[t][2*x]; q += as[2*y][t] * bs[t][2*x+1];
            r += as[2*y+1][t] * bs[t][2*x]; s += as[2*y+1][t] * bs[t][2*x+1];
        }
        __syncthreads();
    }
    C[r0 * n + c0] = p; C[r0 * n + c0 + 1] = q; C[(r0 + 1) * n + c0] = r; C[(r0 + 1) * n + c0 + 1] = s;
}
