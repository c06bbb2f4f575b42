// Stored with columns and rows exchanged.
__global__ void row_sums(const int* in, int* out, int rows) {
    __shared__ int column[32][33];
    int x = threadIdx.x, left = min(32, rows - (int)blockIdx.x * 32);
    const int* from = in + blockIdx.x * 1024;
    for (int r = threadIdx.y; r < left; r += blockDim.y) column[x][r] = from[r * 32 + x];
    __syncthreads();
    if (threadIdx.y || x >= left) return;
    int s = 0;
#pragma unroll
    for (int k = 0; k < 32; ++k) s += column[k][x];
    out[blockIdx.x * 32 + x] = s;
}
