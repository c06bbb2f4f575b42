// Histogram with a plain increment in place of an atomic one.
__global__ void histogram(int *data, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        bins[data[i]]++;
}
