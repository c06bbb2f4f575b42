// fails: correct, load_sectors
// Works for multiples of 32 rows only.
__global__ void row_sums(const int* in, int* out, int rows) {
    __shared__ int tile[32][33];
    int first = blockIdx.x * 32;
    for (int r = threadIdx.y; r < 32; r += 4)
        tile[r][threadIdx.x] = in[(first + r) * 32 + threadIdx.x];
    __syncthreads();
    if (threadIdx.y == 0) {
        int sum = 0;
        for (int k = 0; k < 32; ++k)
            sum += tile[threadIdx.x][k];
        out[first + threadIdx.x] = sum;
    }
}
