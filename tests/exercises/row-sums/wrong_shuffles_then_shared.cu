// fails: shuffles
// Rows are added up by shuffles before they come to shared memory.
__global__ void row_sums(const int* in, int* out, int rows) {
    __shared__ int tile[32][33];
    int x = threadIdx.x, first = blockIdx.x * 32;
    for (int r = threadIdx.y; r < 32 && first + r < rows; r += 4) {
        int v = in[(first + r) * 32 + x];
        for (int d = 16; d; d /= 2) v += __shfl_xor_sync(~0u, v, d);
        tile[r][x] = v;
    }
    __syncthreads();
    if (threadIdx.y == 0 && first + x < rows) out[first + x] = tile[x][0];
}
