// Tiled product that reads the tile of B with its two indices exchanged.
#define BS 8
__global__ void mmShared(float *A, float *B, float *C, int n)
{
    __shared__ float tA[BS][BS], tB[BS][BS];
    int ty = threadIdx.y, tx = threadIdx.x;
    int r = blockIdx.y * BS + ty, c = blockIdx.x * BS + tx;
    float total = 0;
    for (int p = 0; p < n / BS; p++) {
        tA[ty][tx] = A[r * n + p * BS + tx];
        tB[ty][tx] = B[(p * BS + ty) * n + c];
        __syncthreads();
        for (int k = 0; k < BS; k++)
            total += tA[ty][k] * tB[tx][k];
        __syncthreads();
    }
    C[r * n + c] = total;
}
