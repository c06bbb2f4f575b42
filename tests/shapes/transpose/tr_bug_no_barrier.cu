// Tiled transpose without the barrier between the store to the tile and the load from it.
#define B 16
__global__ void transposeTile(float *in, float *out, int n)
{
    __shared__ float tmp[B][B];
    int x = blockIdx.x * B + threadIdx.x;
    int y = blockIdx.y * B + threadIdx.y;
    tmp[threadIdx.y][threadIdx.x] = in[y * n + x];

    x = blockIdx.y * B + threadIdx.x;
    y = blockIdx.x * B + threadIdx.y;
    out[y * n + x] = tmp[threadIdx.x][threadIdx.y];
}
