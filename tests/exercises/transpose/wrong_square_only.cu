// fails: correct, races
// Takes rows for columns in the result.
__global__ void transpose(const float* in, float* out, int rows, int columns) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        if (y + k < rows && x < columns) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * columns + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        if (y + k < columns && x < rows) out[(y + k) * columns + x] = tile[threadIdx.x][threadIdx.y + k];
}
