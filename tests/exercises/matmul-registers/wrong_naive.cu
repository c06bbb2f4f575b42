// fails: load_sectors, shared_requests
// All from global memory.
__global__ void multiply(const float* M, const float* N, float* P, int width) {
    int Col = blockIdx.x * 16 + threadIdx.x;
    for (int r = 0; r < 4; ++r) {
        int Row = blockIdx.y * 16 + threadIdx.y * 4 + r;
        if (Row >= width || Col >= width) continue;
        float sum = 0;
        for (int k = 0; k < width; ++k)
            sum += M[Row * width + k] * N[k * width + Col];
        P[Row * width + Col] = sum;
    }
}
