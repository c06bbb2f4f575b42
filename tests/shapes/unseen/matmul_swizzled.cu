__global__ void swz(const float* A, const float* B, float* C, int N)
{
    __shared__ float as[32 * 32], bs[32 * 32];
    int tx = threadIdx.x, ty = threadIdx.y;
    float c[4] = {};
    for (int m = 0; m < N; m += 32) {
        for (int i = 0; i < 32; i += 8) {
            int r = ty + i;
            as[r * 32 + (tx ^ r)] = A[(blockIdx.y * 32 + r) * N + m + tx];
            bs[r * 32 + (tx ^ r)] = B[(m + r) * N + blockIdx.x * 32 + tx];
        }
        __syncthreads();
        for (int k = 0; k < 32; k++)
            for (int i = 0; i < 4; i++) { int r = ty + 8 * i; c[i] += as[r * 32 + (k ^ r)] * bs[k * 32 + (tx ^ k)]; }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++) C[(blockIdx.y * 32 + ty + 8 * i) * N + blockIdx.x * 32 + tx] = c[i];
}
