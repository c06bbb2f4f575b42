// Copies the matrix as it is: every element read once and written once, in order, 16 bytes per thread. No transpose can
// beat it.

__global__ void transpose_copy(const float* in, float* out, int rows, int columns)
{
    int fours = rows * columns / 4, left = rows * columns % 4;
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < fours)
        *(float4*)&out[4 * i] = *(const float4*)&in[4 * i];
    else if (i < fours + left)
        out[4 * fours + i - fours] = in[4 * fours + i - fours];
}
