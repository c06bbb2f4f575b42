// WRONG on purpose: moves the array by one element, four at a time. An access of 16 bytes must start at a multiple of 16.

__global__ void shift_left(const int* in, int* out, int n)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);

    if (i + 4 < n)
        *(int4*)&out[i] = *(const int4*)&in[i + 1];
}
