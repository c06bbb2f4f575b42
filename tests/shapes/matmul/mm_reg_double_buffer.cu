// double buffered, 2 x 2 per thread, 16 x 16 tile, depth 4
__global__ void gemm_db(const float* A, const float* B, float* C, int M, int N, int K)
{
    __shared__ float a_s[2][16][4];
    __shared__ float b_s[2][4][16];
    int tx = threadIdx.x, ty = threadIdx.y, t = ty * 8 + tx;
    int r0 = blockIdx.y * 16, c0 = blockIdx.x * 16;
    float acc[2][2] = {};
    a_s[0][t / 4][t % 4] = A[(r0 + t / 4) * K + t % 4];
    b_s[0][t / 16][t % 16] = B[(t / 16) * N + c0 + t % 16];
    __syncthreads();
    int cur = 0;
    for (int k0 = 0; k0 < K; k0 += 4) {
        float na, nb;
        bool more = k0 + 4 < K;
        if (more) {
            na = A[(r0 + t / 4) * K + k0 + 4 + t % 4];
            nb = B[(k0 + 4 + t / 16) * N + c0 + t % 16];
        }
        for (int k = 0; k < 4; k++) {
            float x0 = a_s[cur][ty * 2][k], x1 = a_s[cur][ty * 2 + 1][k];
            float y0 = b_s[cur][k][tx * 2], y1 = b_s[cur][k][tx * 2 + 1];
            acc[0][0] += x0 * y0; acc[0][1] += x0 * y1; acc[1][0] += x1 * y0; acc[1][1] += x1 * y1;
        }
        if (more) {
            a_s[cur ^ 1][t / 4][t % 4] = na;
            b_s[cur ^ 1][t / 16][t % 16] = nb;
        }
        __syncthreads();
        cur ^= 1;
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) C[(r0 + ty * 2 + i) * N + c0 + tx * 2 + j] = acc[i][j];
}
