// Product where each thread keeps TM sums in registers, one below the other (4 x 1).
template <int BM, int BN, int BK, int TM>
__global__ void blocktile(const float* A, const float* B, float* C, int N, int K)
{
  __shared__ float As[BM * BK];
  __shared__ float Bs[BK * BN];
  const int tCol = threadIdx.x % BN, tRow = threadIdx.x / BN;
  const int aCol = threadIdx.x % BK, aRow = threadIdx.x / BK;
  const int bCol = threadIdx.x % BN, bRow = threadIdx.x / BN;

  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += blockIdx.y * BM * N + blockIdx.x * BN;

  float results[TM] = {0.0f};
  for (int k0 = 0; k0 < K; k0 += BK) {
    As[aRow * BK + aCol] = A[aRow * K + aCol];
    Bs[bRow * BN + bCol] = B[bRow * N + bCol];
    __syncthreads();
    A += BK;
    B += BK * N;
    for (int d = 0; d < BK; ++d) {
      float b = Bs[d * BN + tCol];
      for (int r = 0; r < TM; ++r)
        results[r] += As[(tRow * TM + r) * BK + d] * b;
    }
    __syncthreads();
  }
  for (int r = 0; r < TM; ++r)
    C[(tRow * TM + r) * N + tCol] = results[r];
}
