// Symmetric part of a square matrix, (A + transposed A) / 2, the mirrored tile turned in shared memory.
#define B 16

__global__ void symmetric_part(const float *A, float *S, int n)
{
    __shared__ float mirror[B][B + 1];
    int tx = threadIdx.x, ty = threadIdx.y;
    int col = blockIdx.x * B + tx, row = blockIdx.y * B + ty;

    mirror[ty][tx] = A[(blockIdx.x * B + ty) * n + blockIdx.y * B + tx];
    __syncthreads();
    S[row * n + col] = 0.5f * (A[row * n + col] + mirror[tx][ty]);
}
