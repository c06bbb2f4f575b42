// One explicit step of the heat equation on a grid, five points.
__global__ void heat_step(const double* u, double* u_new, int nx, int ny, double alpha)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < 1 || j < 1 || i >= nx - 1 || j >= ny - 1)
        return;
    const int c = j * nx + i;
    u_new[c] = u[c] + alpha * (u[c - 1] + u[c + 1] + u[c - nx] + u[c + nx] - 4.0 * u[c]);
}
