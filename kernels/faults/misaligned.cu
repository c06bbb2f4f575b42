// Moves the array by one element, four elements per thread at a time.

__global__ void shift_left(const int* in, int* out, int n)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);

    if (i + 4 < n)
        *(int4*)&out[i] = *(const int4*)&in[i + 1];
}
