// Each block stores its elements in reverse order.

__global__ void reverse(const int* in, int* out, int n)
{
    __shared__ int tile[1024];

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int first = blockIdx.x * blockDim.x;
    int count = min(int(blockDim.x), n - first);

    if (i < n)
        tile[threadIdx.x] = in[i];

    if (i < n)
        out[i] = tile[count - 1 - threadIdx.x];
}
