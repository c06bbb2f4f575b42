// 32 x 32 tile, depth 8, 4 x 4 per thread, float4 everywhere; the left tile lies transposed
__global__ void sgemm_v4(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int n)
{
    __shared__ float lt[8 * 32];
    __shared__ float rt[8 * 32];
    int tid = threadIdx.x, tc = tid % 8, tr = tid / 8;
    const float* a = A + blockIdx.y * 32 * n;
    const float* b = B + blockIdx.x * 32;
    float s[16] = {0};
    for (int k0 = 0; k0 < n; k0 += 8) {
        float4 v = reinterpret_cast<const float4*>(&a[(tid / 2) * n + k0 + (tid % 2) * 4])[0];
        int k = (tid % 2) * 4, r = tid / 2;
        lt[(k + 0) * 32 + r] = v.x; lt[(k + 1) * 32 + r] = v.y; lt[(k + 2) * 32 + r] = v.z; lt[(k + 3) * 32 + r] = v.w;
        reinterpret_cast<float4*>(&rt[(tid / 8) * 32 + (tid % 8) * 4])[0] =
            reinterpret_cast<const float4*>(&b[(k0 + tid / 8) * n + (tid % 8) * 4])[0];
        __syncthreads();
#pragma unroll
        for (int d = 0; d < 8; d++) {
            float4 x = reinterpret_cast<float4*>(&lt[d * 32 + tr * 4])[0];
            float4 y = reinterpret_cast<float4*>(&rt[d * 32 + tc * 4])[0];
            float xs[4] = {x.x, x.y, x.z, x.w}, ys[4] = {y.x, y.y, y.z, y.w};
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++) s[i * 4 + j] += xs[i] * ys[j];
        }
        __syncthreads();
    }
    float* c = C + (blockIdx.y * 32 + tr * 4) * n + blockIdx.x * 32 + tc * 4;
#pragma unroll
    for (int i = 0; i < 4; i++)
        reinterpret_cast<float4*>(&c[i * n])[0] = make_float4(s[i * 4], s[i * 4 + 1], s[i * 4 + 2], s[i * 4 + 3]);
}
