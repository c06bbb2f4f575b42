// Each element becomes the mean of itself and its two neighbors.

__global__ void smooth(int* data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i > 0 && i < n - 1)
        data[i] = (data[i - 1] + data[i] + data[i + 1]) / 3;
}
