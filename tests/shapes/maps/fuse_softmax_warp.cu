// Softmax of each row, one warp for each.
#include <math.h>

__global__ void softmax_warp(const float* x, float* y, int rows, int n) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows) return;
  x += row * n;
  y += row * n;

  float top = -INFINITY;
  for (int i = lane; i < n; i += 32) top = fmaxf(top, x[i]);
  for (int m = 16; m > 0; m /= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffff, top, m));

  float sum = 0.0f;
  for (int i = lane; i < n; i += 32) {
    float e = __expf(x[i] - top);
    y[i] = e;
    sum += e;
  }
  for (int m = 16; m > 0; m /= 2) sum += __shfl_xor_sync(0xffffffff, sum, m);
  for (int i = lane; i < n; i += 32) y[i] /= sum;
}
