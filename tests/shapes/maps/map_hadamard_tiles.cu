// Elementwise product of matrices by way of tiles in shared memory.
#define TILE 8
__global__ void hadamard(const float *A, const float *B, float *C, int n)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    As[threadIdx.y][threadIdx.x] = A[row * n + col];
    Bs[threadIdx.y][threadIdx.x] = B[row * n + col];
    __syncthreads();
    C[row * n + col] = As[threadIdx.y][threadIdx.x] * Bs[threadIdx.y][threadIdx.x];
}
