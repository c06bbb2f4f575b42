__global__ void transpose(const float* in, float* out, int rows, int columns) {
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x;
    for (int k = threadIdx.y; k < 32; k += 8) {
        int y = blockIdx.y * 32 + k;
        if (x < columns && y < rows) tile[k][threadIdx.x ^ k] = in[y * columns + x];
    }
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    for (int k = threadIdx.y; k < 32; k += 8) {
        int y = blockIdx.x * 32 + k;
        if (x < rows && y < columns) out[y * rows + x] = tile[threadIdx.x][k ^ threadIdx.x];
    }
}
