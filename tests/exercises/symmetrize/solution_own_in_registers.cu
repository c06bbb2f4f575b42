// Four elements of a thread wait in registers.
template <int Rows> struct Waiting { float v[Rows]; };
__global__ void symmetrize(const float* __restrict__ in, float* out, int width) {
    __shared__ float turned[33 * 32];
    int x = blockIdx.x * 32 + threadIdx.x, mx = blockIdx.y * 32 + threadIdx.x;
    Waiting<4> w;
#pragma unroll
    for (int r = 0; r < 4; ++r) {
        int y = blockIdx.y * 32 + threadIdx.y + 8 * r, my = blockIdx.x * 32 + threadIdx.y + 8 * r;
        w.v[r] = x < width && y < width ? in[y * width + x] : 0;
        if (mx < width && my < width) turned[threadIdx.x * 33 + threadIdx.y + 8 * r] = in[my * width + mx];
    }
    __syncthreads();
#pragma unroll
    for (int r = 0; r < 4; ++r) {
        int y = blockIdx.y * 32 + threadIdx.y + 8 * r;
        if (x < width && y < width) out[y * width + x] = w.v[r] + turned[(threadIdx.y + 8 * r) * 33 + threadIdx.x];
    }
}
