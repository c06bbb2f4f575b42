// WRONG on purpose: each element becomes the mean of itself and its neighbors, in the array that the neighbors are
// read from. Other warps and blocks may have stored their means there already.

__global__ void smooth(int* data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i > 0 && i < n - 1)
        data[i] = (data[i - 1] + data[i] + data[i + 1]) / 3;
}
