// Naive product in which x is the row and y the column (correct, but not coalesced).
__global__ void matmul_naive(float *A, float *B, float *C, int M, int N, int K) {
    int i = threadIdx.x + blockIdx.x * blockDim.x; // row
    int j = threadIdx.y + blockIdx.y * blockDim.y; // column
    if (i >= M || j >= N) return;

    float c = 0.0f;
    for (int k = 0; k < K; k++) {
        c += A[i * K + k] * B[k * N + j];
    }
    C[i * N + j] = c;
}
