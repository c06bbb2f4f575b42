// Transpose of an integer matrix with a padded tile and a check on the way in and on the way out.
template <typename T>
__device__ void moveTile(const T* in, T* out, int rows, int cols)
{
    __shared__ T s[16][17];
    int c = blockIdx.x * 16 + threadIdx.x;
    int r = blockIdx.y * 16 + threadIdx.y;
    if (r < rows && c < cols)
        s[threadIdx.y][threadIdx.x] = in[r * cols + c];
    __syncthreads();
    r = blockIdx.x * 16 + threadIdx.y;
    c = blockIdx.y * 16 + threadIdx.x;
    if (r < cols && c < rows)
        out[r * rows + c] = s[threadIdx.x][threadIdx.y];
}

__global__ void matTrans(const int* A, int* AT, int m, int n)
{
    moveTile<int>(A, AT, m, n);
}
