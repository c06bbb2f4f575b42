// 2-D convolution with a 5 x 5 filter: the block loads the whole input tile, its inner threads compute.
#define FD 5
#define OUT_TILE 8
#define IN_TILE (OUT_TILE + FD - 1)

__global__ void tiledConv(const float *image, const float *mask, float *result, int rows, int cols)
{
    __shared__ float tile[IN_TILE][IN_TILE];
    int oy = blockIdx.y * OUT_TILE + threadIdx.y, ox = blockIdx.x * OUT_TILE + threadIdx.x;
    int iy = oy - FD / 2, ix = ox - FD / 2;
    tile[threadIdx.y][threadIdx.x] =
        (iy >= 0 && iy < rows && ix >= 0 && ix < cols) ? image[iy * cols + ix] : 0.0f;
    __syncthreads();

    if (threadIdx.y < OUT_TILE && threadIdx.x < OUT_TILE && oy < rows && ox < cols) {
        float acc = 0.0f;
        for (int i = 0; i < FD; ++i)
            for (int j = 0; j < FD; ++j)
                acc += mask[i * FD + j] * tile[threadIdx.y + i][threadIdx.x + j];
        result[oy * cols + ox] = acc;
    }
}
