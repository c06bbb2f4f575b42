// fails: shuffles, shared_bytes, barriers_per_thread
// Adds up in shared memory.
__global__ void matvec(const int* A, const int* x, int* y, int rows, int columns) {
    int lane = threadIdx.x % 32;
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    __shared__ int part[128];
    int sum = 0;
    for (int k = lane; row < rows && k < columns; k += 32)
        sum += A[row * columns + k] * x[k];
    part[threadIdx.x] = sum;
    __syncthreads();
    if (lane != 0 || row >= rows) return;
    sum = 0;
    for (int k = 0; k < 32; ++k)
        sum += part[threadIdx.x + k];
    y[row] = sum;
}
