// Turns an image clockwise by a quarter.
__global__ void rotate90(const int *src, int *dst, int rows, int cols)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < rows && c < cols)
        dst[c * rows + (rows - 1 - r)] = src[r * cols + c];
}
