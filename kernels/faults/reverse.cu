// Each block stores its elements in reverse order.

__global__ void reverse(const int* in, int* out)
{
    __shared__ int tile[1024];

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = in[i];

    int mirrored = blockDim.x - 1 - threadIdx.x;
    out[i] = tile[mirrored];
}
