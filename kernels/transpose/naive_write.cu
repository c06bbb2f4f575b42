// One element per thread, the other way round: a warp reads down a column of `in` and writes along a row of `out`.

__global__ void transpose_naive_write(const float* in, float* out, int rows, int columns)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;  // column of out
    int y = blockIdx.y * blockDim.y + threadIdx.y;  // row of out

    if (x < rows && y < columns)
        out[y * rows + x] = in[x * columns + y];
}
