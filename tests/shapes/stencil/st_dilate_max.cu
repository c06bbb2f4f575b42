// Dilation of a gray image: the largest pixel of each 3 x 3 neighborhood.
__global__ void dilate3x3(const unsigned char *img, unsigned char *res, int rows, int cols)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= rows || c >= cols) return;
    unsigned char best = 0;
    for (int dr = -1; dr <= 1; ++dr)
        for (int dc = -1; dc <= 1; ++dc) {
            int rr = r + dr, cc = c + dc;
            if (rr >= 0 && rr < rows && cc >= 0 && cc < cols)
                best = max(best, img[rr * cols + cc]);
        }
    res[r * cols + c] = best;
}
