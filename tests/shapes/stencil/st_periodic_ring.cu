// Central difference on a ring: the first element's left neighbor is the last one.
__global__ void advect(const double *u, double *v, int n, double cfl)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int left = (i + n - 1) % n;
        int right = (i + 1) % n;
        v[i] = u[i] - 0.5 * cfl * (u[right] - u[left]);
    }
}
