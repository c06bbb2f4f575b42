// out[i] is the sum of in[i] and the element behind it.

__global__ void add_next(const int* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        out[i] = in[i] + in[i + 1];
}
