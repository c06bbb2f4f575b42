// fails: shuffles
// Each lane fetches the products of all others, one by one.
__global__ void matvec(const int* A, const int* x, int* y, int rows, int columns) {
    int lane = threadIdx.x & 31, row = blockIdx.x * 4 + (threadIdx.x >> 5);
    if (row >= rows) return;
    int own = 0, sum = 0;
    for (int k = lane; k < columns; k += 32) own += A[row * columns + k] * x[k];
    for (int j = 0; j < 32; ++j) sum += __shfl_sync(0xffffffff, own, j);
    if (lane == 0) y[row] = sum;
}
