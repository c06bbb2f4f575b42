// Integer matrix product: blocks of 32 x 8 threads, the tile of B is 32 x 32 and takes four rounds to load.
__global__ void gemm_i32(const int* __restrict__ a, const int* __restrict__ b, int* __restrict__ c,
                         int m, int n, int k)
{
    __shared__ int sa[8][32];
    __shared__ int sb[32][32];
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int i = blockIdx.y * 8 + y;
    const int j = blockIdx.x * 32 + x;
    int acc = 0;
    for (int t = 0; t < k; t += 32) {
        sa[y][x] = a[i * k + (t + x)];
        for (int r = y; r < 32; r += 8)
            sb[r][x] = b[(t + r) * n + j];
        __syncthreads();
        for (int q = 0; q < 32; q++)
            acc += sa[y][q] * sb[q][x];
        __syncthreads();
    }
    if (i < m && j < n) c[i * n + j] = acc;
}
