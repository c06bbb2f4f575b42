// fails: load_sectors, shuffles, busiest_warp_loads
// One lane of the warp goes along the row.
__global__ void matvec(const int* A, const int* x, int* y, int rows, int columns) {
    int row = blockIdx.x * 4 + threadIdx.x / 32;
    if (row >= rows || threadIdx.x % 32) return;
    int s = 0;
    for (int k = 0; k < columns; ++k) s += A[row * columns + k] * x[k];
    y[row] = s;
}
