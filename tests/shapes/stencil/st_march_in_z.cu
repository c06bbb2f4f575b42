// Seven-point Jacobi step: a thread walks along z, with the plane in shared memory and its neighbors in registers.
__global__ void jacobi_z(const float *in, float *out, int nx, int ny, int nz)
{
    __shared__ float plane[8][8];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * 8 + tx, y = blockIdx.y * 8 + ty;
    const int stride = nx * ny;
    const bool inside = x > 0 && y > 0 && x < nx - 1 && y < ny - 1;
    int p = y * nx + x;
    float below = in[p], here = in[p + stride];
    p += stride;
    for (int z = 1; z < nz - 1; ++z, p += stride)
    {
        const float above = in[p + stride];
        plane[ty][tx] = here;
        __syncthreads();
        if (inside)
        {
            float w = tx > 0 ? plane[ty][tx - 1] : in[p - 1];
            float e = tx < 7 ? plane[ty][tx + 1] : in[p + 1];
            float n = ty > 0 ? plane[ty - 1][tx] : in[p - nx];
            float s = ty < 7 ? plane[ty + 1][tx] : in[p + nx];
            out[p] = (w + e + n + s + below + above) * (1.0f / 6.0f);
        }
        __syncthreads();
        below = here;
        here = above;
    }
}
