// Each thread leaves its own part of a dot product for the host to add.
__global__ void partialDots(const float *x, const float *y, float *partial, int n)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    float acc = 0.0f;
    for (int i = tid; i < n; i += threads)
        acc += x[i] * y[i];
    partial[tid] = acc;
}
