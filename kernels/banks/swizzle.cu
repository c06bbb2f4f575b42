// A block of 32 x 32 threads. Element (row, column) is stored at column ^ row: a row and a column use every bank once.

__global__ void tile_swizzle(const float* in, float* out)
{
    __shared__ float tile[32][32];

    tile[threadIdx.y][threadIdx.x ^ threadIdx.y] = in[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();

    out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y ^ threadIdx.x];
}
