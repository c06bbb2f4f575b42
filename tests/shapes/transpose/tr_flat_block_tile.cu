// Transpose with flat blocks and a tile whose columns are mixed by XOR against bank conflicts.
__global__ void t1d(const unsigned *g_in, unsigned *g_out, int h, int w)
{
    __shared__ unsigned buf[256];
    const int i = threadIdx.x >> 4;
    const int j = threadIdx.x & 15;

    buf[i * 16 + (j ^ i)] = g_in[(blockIdx.y * 16 + i) * w + blockIdx.x * 16 + j];
    __syncthreads();
    g_out[(blockIdx.x * 16 + i) * h + blockIdx.y * 16 + j] = buf[j * 16 + (i ^ j)];
}
