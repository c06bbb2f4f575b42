// Each warp sums its 32 values by shuffles, without shared memory.
__inline__ __device__ float warpReduceSum(float val) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    val += __shfl_down_sync(0xffffffff, val, offset);
  return val;
}

__global__ void warpReduceKernel(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = warpReduceSum(in[i]);
  if ((threadIdx.x & (warpSize - 1)) == 0)
    out[i / warpSize] = v;
}
