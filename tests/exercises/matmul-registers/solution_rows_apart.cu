// The four elements of a thread lie four rows apart; a template holds them.
template <int R> struct Column { float v[R]; __device__ Column() { for (int r = 0; r < R; ++r) v[r] = 0; } };
__global__ void multiply(const float* __restrict__ M, const float* __restrict__ N, float* P, int width) {
    __shared__ float a[16][17], b[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
    Column<4> c;
    for (int phases = (width + 15) / 16, ph = 0; ph < phases; ++ph) {
#pragma unroll
        for (int r = 0; r < 16; r += 4) {
            a[ty + r][tx] = y + r < width && ph * 16 + tx < width ? M[(y + r) * width + ph * 16 + tx] : 0.f;
            b[ty + r][tx] = x < width && ph * 16 + ty + r < width ? N[(ph * 16 + ty + r) * width + x] : 0.f;
        }
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < 16; ++k) {
            const float n = b[k][tx];
#pragma unroll
            for (int r = 0; r < 4; ++r) c.v[r] = fmaf(a[ty + 4 * r][k], n, c.v[r]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < 4; ++r) if (y + 4 * r < width && x < width) P[(y + 4 * r) * width + x] = c.v[r];
}
