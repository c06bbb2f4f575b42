// Every lane reads some word: `index` has all numbers from 0 to n - 1, in no order.

__global__ void scattered(const float* in, const int* index, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        out[i] = in[index[i]];
}
