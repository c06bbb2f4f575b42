// Tiled multiply for sizes that the tile does not divide: outside elements count as zero.
#define TILE 8

__global__ void matrixMultiplyShared(float *A, float *B, float *C,
                                     int numARows, int numAColumns,
                                     int numBRows, int numBColumns,
                                     int numCRows, int numCColumns) {
  __shared__ float subA[TILE][TILE];
  __shared__ float subB[TILE][TILE];
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  float acc = 0.0f;

  for (int m = 0; m < (numAColumns - 1) / TILE + 1; m++) {
    int ac = m * TILE + threadIdx.x;
    int br = m * TILE + threadIdx.y;
    subA[threadIdx.y][threadIdx.x] =
        (row < numARows && ac < numAColumns) ? A[row * numAColumns + ac] : 0.0f;
    subB[threadIdx.y][threadIdx.x] =
        (br < numBRows && col < numBColumns) ? B[br * numBColumns + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < TILE; k++)
      acc += subA[threadIdx.y][k] * subB[k][threadIdx.x];
    __syncthreads();
  }
  if (row < numCRows && col < numCColumns)
    C[row * numCColumns + col] = acc;
}
