// Changes the layout of two images from channels first to channels last.
__global__ void nchw2nhwc(const float* __restrict__ src, float* __restrict__ dst, int C, int HW) {
  const int n = blockIdx.y;
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= HW) return;
  src += n * C * HW;
  dst += n * C * HW;
  for (int c = 0; c < C; ++c) {
    dst[p * C + c] = src[c * HW + p];
  }
}
