// fails: load_sectors, shuffles, busiest_warp_loads
// Neighboring threads load a whole row apart.
__global__ void matvec(const int* A, const int* x, int* y, int rows, int columns) {
    if (threadIdx.x >= 4) return;
    int row = blockIdx.x * 4 + threadIdx.x;
    if (row >= rows) return;
    int sum = 0;
    for (int k = 0; k < columns; ++k)
        sum += A[row * columns + k] * x[k];
    y[row] = sum;
}
