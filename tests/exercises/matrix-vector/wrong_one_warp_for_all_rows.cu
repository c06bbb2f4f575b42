// fails: busiest_warp_loads
__global__ void matvec(const int* A, const int* x, int* y, int rows, int columns) {
    if (blockIdx.x > 0 || threadIdx.x >= 32) return;
    for (int row = 0; row < rows; ++row) {
        int sum = 0;
        for (int k = threadIdx.x; k < columns; k += 32)
            sum += A[row * columns + k] * x[k];
        for (int step = 16; step > 0; step /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, step);
        if (threadIdx.x == 0) y[row] = sum;
    }
}
