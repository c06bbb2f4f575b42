// Product with float4 loads, a transposed tile of A in shared memory and 4 x 4 sums for each thread.
#define BM 32
#define BN 32
#define BK 8

__global__ void sgemm_vec(const float* A, const float* B, float* C, int N, int K) {
  __shared__ float As[BK][BM];
  __shared__ float Bs[BK][BN];
  const int t = threadIdx.x;
  const int ar = t / 2, ac = (t % 2) * 4;
  const int br = t / 8, bc = (t % 8) * 4;
  const int ty = (t / 8) * 4, tx = (t % 8) * 4;
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += blockIdx.y * BM * N + blockIdx.x * BN;

  float acc[4][4] = {0.f};
  for (int k0 = 0; k0 < K; k0 += BK) {
    float4 a4 = *reinterpret_cast<const float4*>(A + ar * K + k0 + ac);
    As[ac + 0][ar] = a4.x;
    As[ac + 1][ar] = a4.y;
    As[ac + 2][ar] = a4.z;
    As[ac + 3][ar] = a4.w;
    *reinterpret_cast<float4*>(&Bs[br][bc]) =
        *reinterpret_cast<const float4*>(B + (k0 + br) * N + bc);
    __syncthreads();
    for (int k = 0; k < BK; ++k)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          acc[i][j] += As[k][ty + i] * Bs[k][tx + j];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    *reinterpret_cast<float4*>(C + (ty + i) * N + tx) =
        make_float4(acc[i][0], acc[i][1], acc[i][2], acc[i][3]);
}
