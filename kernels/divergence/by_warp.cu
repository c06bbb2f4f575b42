// The same two branches, but whole warps take them: every second warp adds, the others subtract. No warp executes both.

__global__ void by_warp(const int* in, int* out, int n, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    int sum = 0;
    if (threadIdx.x / 32 % 2 == 0) {
        for (int k = 0; k < steps; ++k)
            sum += in[i + k];
    } else {
        for (int k = 0; k < steps; ++k)
            sum -= in[i + k];
    }
    out[i] = sum;
}
