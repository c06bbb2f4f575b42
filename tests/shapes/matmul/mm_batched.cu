// Batched matrix product: blockIdx.z chooses the pair of matrices.
__global__ void batchedMatMul(const float* A, const float* B, float* C, int batch, int M, int N, int K) {
    int b = blockIdx.z;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= batch || row >= M || col >= N) return;

    const float* Ab = A + b * M * K;
    const float* Bb = B + b * K * N;
    float acc = 0.0f;
    for (int k = 0; k < K; ++k)
        acc += Ab[row * K + k] * Bb[k * N + col];
    C[b * M * N + row * N + col] = acc;
}
