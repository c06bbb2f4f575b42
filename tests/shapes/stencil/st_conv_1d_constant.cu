// 1-D convolution with a mask in constant memory and zeros beyond the ends.
__constant__ float M[5] = {0.1f, 0.2f, 0.4f, 0.2f, 0.1f};

__global__ void convolution_1D_basic_kernel(float *N, float *P, int Mask_Width, int Width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= Width) return;
  float Pvalue = 0;
  int N_start_point = i - (Mask_Width / 2);
  for (int j = 0; j < Mask_Width; j++) {
    if (N_start_point + j >= 0 && N_start_point + j < Width) {
      Pvalue += N[N_start_point + j] * M[j];
    }
  }
  P[i] = Pvalue;
}
