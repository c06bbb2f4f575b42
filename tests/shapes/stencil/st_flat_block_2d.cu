// Four-neighbor average on a grid, with one-dimensional blocks and a copy of the rim.
__global__ void diffuse1d(const float *oldT, float *newT, int nx, int ny)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= nx * ny) return;
    int x = id % nx;
    int y = id / nx;
    if (x == 0 || x == nx - 1 || y == 0 || y == ny - 1) {
        newT[id] = oldT[id];
        return;
    }
    newT[id] = 0.25f * (oldT[id - 1] + oldT[id + 1] + oldT[id - nx] + oldT[id + nx]);
}
