// Turned on the way into the tile.
__global__ void transpose(const float* in, float* out, int rows, int columns) {
    __shared__ float t[32][33];
    int X = blockIdx.x * blockDim.x, Y = blockIdx.y * blockDim.x, l = threadIdx.x;
#pragma unroll 4
    for (int k = threadIdx.y; k < 32; k += blockDim.y) if (Y + k < rows && X + l < columns) t[l][k] = __ldg(in + (Y + k) * columns + X + l);
    __syncthreads();
    for (int k = threadIdx.y; k < 32 && X + k < columns; k += blockDim.y) if (Y + l < rows) out[(X + k) * rows + Y + l] = t[k][l];
}
