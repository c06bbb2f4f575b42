// One thread for each element of the product, numbered along one dimension.
__global__ void matmul_flat(const float *A, const float *B, float *C, int M, int K, int N)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx >= M * N)
        return;

    int row = idx / N;
    int col = idx % N;

    float value = 0;
    for (int i = 0; i < K; i++)
    {
        value += A[row * K + i] * B[i * N + col];
    }
    C[idx] = value;
}
