// Tiled product with two buffers: the next tile is fetched while this one is multiplied.
#define W 16
__global__ void mm_pipelined(const float *lhs, const float *rhs, float *res, int k, int n)
{
    __shared__ float l[2][W][W];
    __shared__ float r[2][W][W];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const float *pl = lhs + (blockIdx.y * W + ty) * k + tx;
    const float *pr = rhs + ty * n + blockIdx.x * W + tx;

    int cur = 0;
    l[0][ty][tx] = *pl;
    r[0][ty][tx] = *pr;
    __syncthreads();

    float s = 0.f;
    for (int t = W; t <= k; t += W) {
        if (t < k) {
            l[cur ^ 1][ty][tx] = pl[t];
            r[cur ^ 1][ty][tx] = pr[t * n];
        }
        for (int i = 0; i < W; ++i)
            s += l[cur][ty][i] * r[cur][i][tx];
        __syncthreads();
        cur ^= 1;
    }
    res[(blockIdx.y * W + ty) * n + blockIdx.x * W + tx] = s;
}
