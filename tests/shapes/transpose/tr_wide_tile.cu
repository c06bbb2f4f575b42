// Transpose with a tile of 8 rows by 32 columns; on the way out the threads form 32 rows by 8 columns.
#define BX 32
#define BY 8
__global__ void transpose_rect(const float *in, float *out, int nx, int ny)
{
    __shared__ float tile[BY][BX + 1];
    unsigned ix = BX * blockIdx.x + threadIdx.x;
    unsigned iy = BY * blockIdx.y + threadIdx.y;

    tile[threadIdx.y][threadIdx.x] = in[iy * nx + ix];
    __syncthreads();

    unsigned bidx = threadIdx.y * BX + threadIdx.x;
    unsigned irow = bidx / BY, icol = bidx % BY;
    unsigned ox = BY * blockIdx.y + icol;
    unsigned oy = BX * blockIdx.x + irow;
    out[oy * ny + ox] = tile[icol][irow];
}
