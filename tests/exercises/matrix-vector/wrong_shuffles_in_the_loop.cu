// fails: shuffles
// Five shuffles for each 32 columns.
__global__ void matvec(const int* A, const int* x, int* y, int rows, int columns) {
    int lane = threadIdx.x & 31, row = blockIdx.x * 4 + (threadIdx.x >> 5), sum = 0;
    if (row >= rows) return;
    for (int k = 0; k < columns; k += 32) {
        int v = k + lane < columns ? A[row * columns + k + lane] * x[k + lane] : 0;
        for (int d = 16; d; d >>= 1) v += __shfl_xor_sync(0xffffffff, v, d);
        sum += v;
    }
    if (lane == 0) y[row] = sum;
}
