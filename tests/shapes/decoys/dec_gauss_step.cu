// One step of Gaussian elimination: the rest of the matrix below and right of the pivot.
__global__ void eliminate(double *a, int n, int p)
{
    int col = p + 1 + blockIdx.x * blockDim.x + threadIdx.x;
    int row = p + 1 + blockIdx.y * blockDim.y + threadIdx.y;
    if (row < n && col < n) {
        double factor = a[row * n + p] / a[p * n + p];
        a[row * n + col] -= factor * a[p * n + col];
    }
}
