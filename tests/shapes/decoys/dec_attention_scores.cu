// Scores of an attention layer, Q * transpose(K) / sqrt(d), with tiles in shared memory.
#define TS 16
__global__ void qk_scores(const float* Q, const float* K, float* S, int seq, int d) {
  __shared__ float q[TS][TS];
  __shared__ float k[TS][TS + 1];
  int row = blockIdx.y * TS + threadIdx.y;
  int col = blockIdx.x * TS + threadIdx.x;
  float s = 0.f;
  for (int t = 0; t < d; t += TS) {
    q[threadIdx.y][threadIdx.x] = Q[row * d + t + threadIdx.x];
    k[threadIdx.y][threadIdx.x] = K[(blockIdx.x * TS + threadIdx.y) * d + t + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < TS; ++i)
      s += q[threadIdx.y][i] * k[threadIdx.x][i];
    __syncthreads();
  }
  S[row * seq + col] = s * rsqrtf((float)d);
}
