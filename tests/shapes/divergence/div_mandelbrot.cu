// Rounds until the point of each pixel escapes.
__global__ void mandel(int *iters, int width, int height, int max_iter)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height) return;

    float cx = -2.0f + px * (3.0f / width);
    float cy = -1.2f + py * (2.4f / height);
    float zx = 0.0f, zy = 0.0f;
    int it = 0;
    while (it < max_iter && zx * zx + zy * zy < 4.0f) {
        float t = zx * zx - zy * zy + cx;
        zy = 2.0f * zx * zy + cy;
        zx = t;
        ++it;
    }
    iters[py * width + px] = it;
}
