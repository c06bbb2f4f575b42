#define BM 64
#define BN 64
#define BK 8
#define TM 8
__global__ void sgemm1D(int M, int N, int K, const float *A, const float *B, float *C) {
  const int cRow = blockIdx.y, cCol = blockIdx.x;
  const int tcol = threadIdx.x % BN, trow = threadIdx.x / BN;
  __shared__ float As[BM * BK], Bs[BK * BN];
  A += cRow * BM * K; B += cCol * BN; C += cRow * BM * N + cCol * BN;
  const int ac = threadIdx.x % BK, ar = threadIdx.x / BK, bc = threadIdx.x % BN, br = threadIdx.x / BN;
  float acc[TM] = {0.0};
  for (int k0 = 0; k0 < K; k0 += BK) {
    As[ar * BK + ac] = A[ar * K + ac];
    Bs[br * BN + bc] = B[br * N + bc];
    __syncthreads();
    A += BK; B += BK * N;
    for (int d = 0; d < BK; ++d) {
      float t = Bs[d * BN + tcol];
      for (int r = 0; r < TM; ++r) acc[r] += As[(trow * TM + r) * BK + d] * t;
    }
    __syncthreads();
  }
  for (int r = 0; r < TM; ++r) C[(trow * TM + r) * N + tcol] = acc[r];
}
