// Five-point Laplace operator from a tile in shared memory; threads at the rim also load the halo.
#define BX 16
#define BY 8

__global__ void laplace2d(const float *f, float *lap, int ny, int nx)
{
    __shared__ float s[BY + 2][BX + 2];
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    int x = blockIdx.x * BX + threadIdx.x;
    int y = blockIdx.y * BY + threadIdx.y;
    int at = y * nx + x;

    s[ty][tx] = f[at];
    if (threadIdx.x == 0)      s[ty][0]      = x > 0      ? f[at - 1]  : 0.f;
    if (threadIdx.x == BX - 1) s[ty][BX + 1] = x < nx - 1 ? f[at + 1]  : 0.f;
    if (threadIdx.y == 0)      s[0][tx]      = y > 0      ? f[at - nx] : 0.f;
    if (threadIdx.y == BY - 1) s[BY + 1][tx] = y < ny - 1 ? f[at + nx] : 0.f;
    __syncthreads();

    lap[at] = s[ty][tx - 1] + s[ty][tx + 1] + s[ty - 1][tx] + s[ty + 1][tx] - 4.f * s[ty][tx];
}
