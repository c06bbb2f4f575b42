// four neighbors of a row per thread, no shared memory
__global__ void gemm_row4(const float* a, const float* b, float* c, int n)
{
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    int c0 = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (r >= n || c0 + 3 >= n) return;
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (int i = 0; i < n; i++) {
        float x = a[r * n + i];
        const float* row = b + i * n + c0;
        s0 += x * row[0]; s1 += x * row[1]; s2 += x * row[2]; s3 += x * row[3];
    }
    c[r * n + c0] = s0; c[r * n + c0 + 1] = s1; c[r * n + c0 + 2] = s2; c[r * n + c0 + 3] = s3;
}
