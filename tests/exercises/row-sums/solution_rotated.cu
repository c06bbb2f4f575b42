__global__ void row_sums(const int* in, int* out, int rows) {
    __shared__ int tile[32][32];
    int first = blockIdx.x * 32;
    for (int r = threadIdx.y; r < 32; r += 4)
        tile[r][threadIdx.x] = first + r < rows ? in[(first + r) * 32 + threadIdx.x] : 0;
    __syncthreads();
    if (threadIdx.y == 0 && first + threadIdx.x < rows) {
        int s = 0;
        for (int k = 0; k < 32; ++k) s += tile[threadIdx.x][(k + threadIdx.x) & 31];
        out[first + threadIdx.x] = s;
    }
}
