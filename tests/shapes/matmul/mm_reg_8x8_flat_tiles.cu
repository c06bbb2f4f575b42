// block tile 64 x 64, depth 8, thread tile 8 x 8; one-dimensional block of 64
template <int BM, int BN, int BK, int TM, int TN>
__global__ void sgemm2d(int M, int N, int K, float alpha, const float* A, const float* B, float beta, float* C)
{
    const unsigned cRow = blockIdx.y, cCol = blockIdx.x;
    __shared__ float As[BM * BK];
    __shared__ float Bs[BK * BN];
    const unsigned threads = BM * BN / (TM * TN);
    const int tCol = threadIdx.x % (BN / TN), tRow = threadIdx.x / (BN / TN);
    A += cRow * BM * K; B += cCol * BN; C += cRow * BM * N + cCol * BN;
    const unsigned ra = threadIdx.x / BK, ca = threadIdx.x % BK, strideA = threads / BK;
    const unsigned rb = threadIdx.x / BN, cb = threadIdx.x % BN, strideB = threads / BN;
    float res[TM * TN] = {0.0f};
    float rM[TM], rN[TN];
    for (unsigned bk = 0; bk < K; bk += BK) {
        for (unsigned o = 0; o < BM; o += strideA) As[(ra + o) * BK + ca] = A[(ra + o) * K + ca];
        for (unsigned o = 0; o < BK; o += strideB) Bs[(rb + o) * BN + cb] = B[(rb + o) * N + cb];
        __syncthreads();
        A += BK; B += BK * N;
        for (unsigned d = 0; d < BK; ++d) {
            for (unsigned i = 0; i < TM; ++i) rM[i] = As[(tRow * TM + i) * BK + d];
            for (unsigned i = 0; i < TN; ++i) rN[i] = Bs[d * BN + tCol * TN + i];
            for (unsigned i = 0; i < TM; ++i)
                for (unsigned j = 0; j < TN; ++j) res[i * TN + j] += rM[i] * rN[j];
        }
        __syncthreads();
    }
    for (unsigned i = 0; i < TM; ++i)
        for (unsigned j = 0; j < TN; ++j) {
            float* c = &C[(tRow * TM + i) * N + tCol * TN + j];
            *c = alpha * res[i * TN + j] + beta * *c;
        }
}
