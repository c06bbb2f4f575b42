// 1-D convolution whose window begins one place too far to the right.
#define MASK 5
__global__ void conv1d(float *x, float *w, float *y, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    float acc = 0;
    int start = i - MASK / 2 + 1;
    for (int j = 0; j < MASK; j++)
        if (start + j >= 0 && start + j < n)
            acc += w[j] * x[start + j];
    if (i < n)
        y[i] = acc;
}
