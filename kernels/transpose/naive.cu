// One element per thread. A warp reads along a row of `in` and writes down a column of `out`.

__global__ void transpose_naive(const float* in, float* out, int rows, int columns)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;  // column of in
    int y = blockIdx.y * blockDim.y + threadIdx.y;  // row of in

    if (x < columns && y < rows)
        out[x * rows + y] = in[y * columns + x];
}
