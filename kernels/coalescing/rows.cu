// Copies a matrix whose rows start `pitch` words apart. With a pitch of more than the width, the words at the end of a row
// are left alone.

__global__ void copy_rows(const float* in, float* out, int width, int height, int pitch)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;

    if (column < width && row < height)
        out[row * pitch + column] = in[row * pitch + column];
}
