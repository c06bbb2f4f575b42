// Sobel operator: gradient strength of a gray image.
__global__ void sobel_filter(const unsigned char *src, unsigned char *dst, int width, int height)
{
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int y = threadIdx.y + blockIdx.y * blockDim.y;
    if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
        float dx = (-1 * src[(y - 1) * width + (x - 1)]) + (-2 * src[y * width + (x - 1)]) +
                   (-1 * src[(y + 1) * width + (x - 1)]) + (src[(y - 1) * width + (x + 1)]) +
                   (2 * src[y * width + (x + 1)]) + (src[(y + 1) * width + (x + 1)]);
        float dy = (src[(y - 1) * width + (x - 1)]) + (2 * src[(y - 1) * width + x]) +
                   (src[(y - 1) * width + (x + 1)]) + (-1 * src[(y + 1) * width + (x - 1)]) +
                   (-2 * src[(y + 1) * width + x]) + (-1 * src[(y + 1) * width + (x + 1)]);
        float g = sqrtf(dx * dx + dy * dy);
        dst[y * width + x] = g > 255.0f ? 255 : (unsigned char)g;
    }
}
