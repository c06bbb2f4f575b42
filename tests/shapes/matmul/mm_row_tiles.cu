// C = A * B with blocks of 8 rows by 16 columns and a k-tile of 8, narrower than the block.
#define BX 16
#define BY 8
#define BK 8

__global__ void mm(const float *A, const float *B, float *C, int M, int K, int N)
{
    __shared__ float As[BY][BK];
    __shared__ float Bs[BK][BX];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * BY + ty;
    int col = blockIdx.x * BX + tx;
    float sum = 0.0f;

    for (int k0 = 0; k0 < K; k0 += BK) {
        if (tx < BK)
            As[ty][tx] = A[row * K + k0 + tx];
        Bs[ty][tx] = B[(k0 + ty) * N + col];
        __syncthreads();
        for (int k = 0; k < BK; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[row * N + col] = sum;
}
