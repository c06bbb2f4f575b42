// Two tiles of each, one barrier a phase; M is read as float4.
__global__ void multiply(const float* M, const float* N, float* P, int width) {
    __shared__ __align__(16) float a[2][16][16];
    __shared__ float b[2][16][16];
    int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + 4 * ty;
    float4 s = make_float4(0, 0, 0, 0);
    for (int p = 0, at = 0; p < width; p += 16, at ^= 1) {
        for (int r = 0; r < 4; ++r) {
            a[at][ty * 4 + r][tx] = y + r < width && p + tx < width ? M[(y + r) * width + p + tx] : 0;
            b[at][ty * 4 + r][tx] = p + ty * 4 + r < width && x < width ? N[(p + ty * 4 + r) * width + x] : 0;
        }
        __syncthreads();
        for (int k = 0; k < 16; k += 4) {
            float n0 = b[at][k][tx], n1 = b[at][k + 1][tx], n2 = b[at][k + 2][tx], n3 = b[at][k + 3][tx];
            float4 m = *(float4*)&a[at][ty * 4][k];
            s.x += m.x * n0 + m.y * n1 + m.z * n2 + m.w * n3;
            m = *(float4*)&a[at][ty * 4 + 1][k]; s.y += m.x * n0 + m.y * n1 + m.z * n2 + m.w * n3;
            m = *(float4*)&a[at][ty * 4 + 2][k]; s.z += m.x * n0 + m.y * n1 + m.z * n2 + m.w * n3;
            m = *(float4*)&a[at][ty * 4 + 3][k]; s.w += m.x * n0 + m.y * n1 + m.z * n2 + m.w * n3;
        }
    }
    if (x >= width) return;
    if (y < width) P[y * width + x] = s.x;
    if (y + 1 < width) P[(y + 1) * width + x] = s.y;
    if (y + 2 < width) P[(y + 2) * width + x] = s.z;
    if (y + 3 < width) P[(y + 3) * width + x] = s.w;
}
