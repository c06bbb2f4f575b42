// A times its own transpose
__global__ void syrk(const float* A, float* C, int n, int k)
{
    __shared__ float p[16][17], q[16][17];
    int x = threadIdx.x, y = threadIdx.y;
    float s = 0;
    for (int m = 0; m < k; m += 16) {
        p[y][x] = A[(blockIdx.y * 16 + y) * k + m + x];
        q[y][x] = A[(blockIdx.x * 16 + y) * k + m + x];
        __syncthreads();
        for (int i = 0; i < 16; i++) s += p[y][i] * q[x][i];
        __syncthreads();
    }
    C[(blockIdx.y * 16 + y) * n + blockIdx.x * 16 + x] = s;
}
