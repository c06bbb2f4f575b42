// Begins where a sector does, with the lanes before the row idle.
template <int Lanes> __device__ int sum_of(int v) { 
#pragma unroll
    for (int d = Lanes / 2; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d); 
    return v; }
__global__ void matvec(const int* __restrict__ A, const int* __restrict__ x, int* __restrict__ y, int rows, int columns) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize, lane = threadIdx.x % warpSize, s = 0;
    if (row >= rows) return;
    int begin = row * columns, end = begin + columns;
    for (int k = begin / 8 * 8 + lane; k < end; k += warpSize) if (k >= begin) s += A[k] * x[k - begin];
    s = sum_of<32>(s);
    if (!lane) y[row] = s;
}
