// fails: correct, load_sectors
// The last block has fewer than four rows.
__global__ void matvec(const int* A, const int* x, int* y, int rows, int columns) {
    int lane = threadIdx.x % 32;
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int sum = 0;
    for (int k = lane; k < columns; k += 32)
        sum += A[row * columns + k] * x[k];
    for (int delta = 16; delta > 0; delta /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, delta);
    if (lane == 0) y[row] = sum;
}
