// fails: correct, shuffles, global_atomics
// atomics in place of shuffles
__global__ void matvec(const int* A, const int* x, int* y, int rows, int columns) {
    int row = blockIdx.x * 4 + threadIdx.x / 32; if (row >= rows) return;
    int s = 0; for (int k = threadIdx.x % 32; k < columns; k += 32) s += A[row * columns + k] * x[k];
    atomicAdd(&y[row], s);
}
