// Matrix-vector product with one warp for each row; the lanes combine their parts by shuffles.
__global__ void gemv_warp(const float* __restrict__ W, const float* __restrict__ x,
                          float* __restrict__ y, int rows, int cols) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const int lane = threadIdx.x;
  float v = 0.f;
  for (int c = lane; c < cols; c += 32)
    v += W[row * cols + c] * x[c];
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2)
    v += __shfl_down_sync(0xffffffffu, v, offset);
  if (lane == 0) y[row] = v;
}
