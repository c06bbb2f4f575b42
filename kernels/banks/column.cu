// A block of 32 x 32 threads. Every warp loads a column of the tile.

template <int padding>  // padding words per row
__global__ void tile_column(const float* in, float* out)
{
    __shared__ float tile[32][32 + padding];

    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();

    out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
