// Even and odd threads take different branches: every warp executes both, with half of its lanes idle in each.

__global__ void parity(const int* in, int* out, int n, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    int sum = 0;
    if (threadIdx.x % 2 == 0) {
        for (int k = 0; k < steps; ++k)
            sum += in[i + k];
    } else {
        for (int k = 0; k < steps; ++k)
            sum -= in[i + k];
    }
    out[i] = sum;
}
