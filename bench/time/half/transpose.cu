#include <cuda_fp16.h>
__global__ void transpose(const __half* in, __half* out, int rows, int columns) {
    __shared__ __half tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * columns + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}
