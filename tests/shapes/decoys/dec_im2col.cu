// Lays out the 3 x 3 windows of an image as columns.
__global__ void im2col(const float* image, float* cols, int h, int w) {
  int oh = h - 2, ow = w - 2;
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= oh * ow) return;
  int y = p / ow, x = p % ow;
  for (int ky = 0; ky < 3; ++ky)
    for (int kx = 0; kx < 3; ++kx)
      cols[(ky * 3 + kx) * (oh * ow) + p] = image[(y + ky) * w + x + kx];
}
