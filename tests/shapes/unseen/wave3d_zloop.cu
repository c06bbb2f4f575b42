// One step of the wave equation in three dimensions in double: new = 2 u - old + c * (sum of six neighbours - 6 u), written over old; a thread goes up through z with three values in registers.
__global__ void wave_step(double *old_new, const double *__restrict__ u,
                          int nx, int ny, int nz, double c)
{
    const int x = 1 + blockIdx.x * blockDim.x + threadIdx.x;
    const int y = 1 + blockIdx.y * blockDim.y + threadIdx.y;
    if (x > nx - 2 || y > ny - 2) return;

    const long plane = (long)nx * ny;
    long at = (long)y * nx + x;

    double below = u[at];
    at += plane;
    double here = u[at];
    for (int z = 1; z < nz - 1; ++z, at += plane) {
        const double above = u[at + plane];
        const double lap = u[at - 1] + u[at + 1] + u[at - nx] + u[at + nx]
                         + below + above - 6.0 * here;
        old_new[at] = 2.0 * here - old_new[at] + c * lap;
        below = here;
        here = above;
    }
}
