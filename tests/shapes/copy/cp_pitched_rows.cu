// Copies an image into one with another pitch.
__global__ void copyRows(const unsigned char *src, int srcPitch, unsigned char *dst, int dstPitch,
                         int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        dst[y * dstPitch + x] = src[y * srcPitch + x];
}
