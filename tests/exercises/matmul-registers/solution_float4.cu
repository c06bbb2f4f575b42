__global__ void multiply(const float* M, const float* N, float* P, int width) {
    __shared__ __align__(16) float m[16][16]; __shared__ float n[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, col = blockIdx.x * 16 + tx, row0 = blockIdx.y * 16 + ty * 4;
    float a = 0, b = 0, c = 0, d = 0;
    for (int p = 0; p < width; p += 16) {
        for (int r = 0; r < 4; ++r) {
            int k = ty * 4 + r;
            m[tx][k] = row0 + r < width && p + tx < width ? M[(row0 + r) * width + p + tx] : 0;   // transposed
            n[k][tx] = p + k < width && col < width ? N[(p + k) * width + col] : 0;
        }
        __syncthreads();
        for (int k = 0; k < 16; ++k) {
            float4 v = *(float4*)&m[k][ty * 4]; float w = n[k][tx];
            a += v.x * w; b += v.y * w; c += v.z * w; d += v.w * w;
        }
        __syncthreads();
    }
    if (col < width) {
        if (row0 < width) P[row0 * width + col] = a;
        if (row0 + 1 < width) P[(row0 + 1) * width + col] = b;
        if (row0 + 2 < width) P[(row0 + 2) * width + col] = c;
        if (row0 + 3 < width) P[(row0 + 3) * width + col] = d;
    }
}
