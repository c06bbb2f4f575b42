// Neighboring lanes take four different branches: a warp executes all four, one after another.

__global__ void switch_by_lane(const int* in, int* out, int n, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    int result = in[i];
    switch (threadIdx.x % 4) {
    case 0:
        for (int k = 1; k < steps; ++k)
            result += in[i + k];
        break;
    case 1:
        for (int k = 1; k < steps; ++k)
            result -= in[i + k];
        break;
    case 2:
        for (int k = 1; k < steps; ++k)
            result += 2 * in[i + k];
        break;
    case 3:
        for (int k = 1; k < steps; ++k)
            result -= 2 * in[i + k];
        break;
    }
    out[i] = result;
}
