// A long branch for one lane of each warp, a short one for the other 31, which then wait.

__global__ void unequal(const int* in, int* out, int n, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    int sum = 0;
    if (threadIdx.x % 32 == 0) {
        for (int k = 0; k < steps; ++k)
            sum += in[i + k];
    } else {
        sum = -in[i];
    }
    out[i] = sum;
}
