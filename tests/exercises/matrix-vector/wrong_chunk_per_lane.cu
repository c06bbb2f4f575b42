// fails: load_sectors
// Each lane has a run of elements of its own.
__global__ void matvec(const int* A, const int* x, int* y, int rows, int columns) {
    int lane = threadIdx.x % 32;
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (row >= rows) return;
    int sum = 0;
    int each = (columns + 31) / 32;
    for (int k = lane * each; k < (lane + 1) * each && k < columns; ++k)
        sum += A[row * columns + k] * x[k];
    for (int delta = 16; delta > 0; delta /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, delta);
    if (lane == 0) y[row] = sum;
}
