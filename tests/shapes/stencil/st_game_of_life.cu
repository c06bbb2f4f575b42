// One generation of the game of life on a torus.
__global__ void lifeStep(const int *cells, int *next, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n) return;
    int xl = (x + n - 1) % n, xr = (x + 1) % n;
    int yu = (y + n - 1) % n * n, yd = (y + 1) % n * n;
    int yc = y * n;
    int alive = cells[yu + xl] + cells[yu + x] + cells[yu + xr]
              + cells[yc + xl] + cells[yc + xr]
              + cells[yd + xl] + cells[yd + x] + cells[yd + xr];
    next[yc + x] = alive == 3 || (alive == 2 && cells[yc + x]) ? 1 : 0;
}
