// First pass of an integral image: running sums along each row, one block for each row.
__global__ void integralRows(const unsigned char* img, int* sums, int width)
{
    __shared__ int line[2][32];
    const int x = threadIdx.x;
    const int row = blockIdx.x;
    int from = 0;
    line[0][x] = img[row * width + x];
    __syncthreads();
    for (int d = 1; d < width; d += d, from ^= 1)
    {
        line[from ^ 1][x] = line[from][x] + (x >= d ? line[from][x - d] : 0);
        __syncthreads();
    }
    sums[row * width + x] = line[from][x];
}
