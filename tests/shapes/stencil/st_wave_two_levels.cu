// One time step of the wave equation from the two levels before.
#define IDX(j, i) ((j) * nx + (i))

__global__ void wave2d(const float* prev, const float* curr, float* next, int ny, int nx, float c2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i == 0 || j == 0 || i >= nx - 1 || j >= ny - 1) return;

    float lap = curr[IDX(j - 1, i)] + curr[IDX(j + 1, i)] + curr[IDX(j, i - 1)] + curr[IDX(j, i + 1)]
              - 4.0f * curr[IDX(j, i)];
    next[IDX(j, i)] = 2.0f * curr[IDX(j, i)] - prev[IDX(j, i)] + c2 * lap;
}
