// Lane k goes round k times.
__global__ void triangle_work(const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x & 31;
  float v = x[i];
  for (int k = 0; k < lane; ++k) {
    v *= 1.01f;
  }
  y[i] = v;
}
