// 64x64x16 tile, 256 threads, 4x4 each, transposed A tile with padding, float4 global traffic
template <int B, int KT, int R>
__global__ __launch_bounds__(256) void vgemm(const float* a, const float* b, float* c, int m, int n, int k)
{
    __shared__ __align__(16) float sa[KT][B + 4];
    __shared__ __align__(16) float sb[KT][B];
    float acc[R][R] = {};
    const int t = threadIdx.x, ty = t / 16, tx = t % 16;
    const int arow = t / (KT / 4), acol = (t % (KT / 4)) * 4, brow = t / (B / 4), bcol = (t % (B / 4)) * 4;
    const float* ap = a + (blockIdx.y * B + arow) * k + acol;
    const float* bp = b + brow * n + blockIdx.x * B + bcol;
    for (int p = 0; p < k; p += KT) {
        float4 va = *(const float4*)ap;
        float4 vb = *(const float4*)bp;
        ap += KT; bp += KT * n;
        sa[acol][arow] = va.x; sa[acol + 1][arow] = va.y; sa[acol + 2][arow] = va.z; sa[acol + 3][arow] = va.w;
        *(float4*)&sb[brow][bcol] = vb;
        __syncthreads();
#pragma unroll
        for (int q = 0; q < KT; q++) {
            float4 x = *(float4*)&sa[q][ty * 4], y = *(float4*)&sb[q][tx * 4];
            acc[0][0] += x.x * y.x; acc[0][1] += x.x * y.y; acc[0][2] += x.x * y.z; acc[0][3] += x.x * y.w;
            acc[1][0] += x.y * y.x; acc[1][1] += x.y * y.y; acc[1][2] += x.y * y.z; acc[1][3] += x.y * y.w;
            acc[2][0] += x.z * y.x; acc[2][1] += x.z * y.y; acc[2][2] += x.z * y.z; acc[2][3] += x.z * y.w;
            acc[3][0] += x.w * y.x; acc[3][1] += x.w * y.y; acc[3][2] += x.w * y.z; acc[3][3] += x.w * y.w;
        }
        __syncthreads();
    }
    for (int i = 0; i < R; i++)
        *(float4*)&c[(blockIdx.y * B + ty * 4 + i) * n + blockIdx.x * B + tx * 4] = make_float4(acc[i][0], acc[i][1], acc[i][2], acc[i][3]);
}
