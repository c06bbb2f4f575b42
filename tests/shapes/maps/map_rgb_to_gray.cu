// Converts a color image to gray.
__global__ void colorToGray(unsigned char *Pout, unsigned char *Pin, int width, int height)
{
    int col = threadIdx.x + blockIdx.x * blockDim.x;
    int row = threadIdx.y + blockIdx.y * blockDim.y;
    if (col < width && row < height)
    {
        int g = row * width + col;
        unsigned char r = Pin[g * 3], gr = Pin[g * 3 + 1], b = Pin[g * 3 + 2];
        Pout[g] = 0.21f * r + 0.71f * gr + 0.07f * b;
    }
}
