// fails: correct, races
// The first warp does not wait for the others.
__global__ void row_sums(const int* in, int* out, int rows) {
    __shared__ int tile[32][33];
    int first = blockIdx.x * 32;
    for (int r = threadIdx.y; r < 32 && first + r < rows; r += 4)
        tile[r][threadIdx.x] = in[(first + r) * 32 + threadIdx.x];
    if (threadIdx.y == 0 && first + threadIdx.x < rows) {
        int sum = 0;
        for (int k = 0; k < 32; ++k)
            sum += tile[threadIdx.x][k];
        out[first + threadIdx.x] = sum;
    }
}
