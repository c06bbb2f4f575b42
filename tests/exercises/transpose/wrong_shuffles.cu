// fails: shared_requests
// The first warp turns the tile by shuffles.
__global__ void transpose(const float* in, float* out, int rows, int columns) {
    if (threadIdx.y) return;
    int l = threadIdx.x, X = blockIdx.x * 32, Y = blockIdx.y * 32;
    float v[32];
#pragma unroll
    for (int k = 0; k < 32; ++k) v[k] = Y + k < rows && X + l < columns ? in[(Y + k) * columns + X + l] : 0;
#pragma unroll
    for (int d = 1; d < 32; d *= 2)
#pragma unroll
        for (int k = 0; k < 32; ++k)
            if (!(k & d)) {
                float a = v[k], b = v[k | d], give = l & d ? a : b, got = __shfl_xor_sync(~0u, give, d);
                if (l & d) v[k] = got; else v[k | d] = got;
            }
#pragma unroll
    for (int k = 0; k < 32; ++k) if (X + k < columns && Y + l < rows) out[(X + k) * rows + Y + l] = v[k];
}
