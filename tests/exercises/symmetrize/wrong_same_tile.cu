// fails: correct
// Turns the block's own tile, which is the mirrored one on the diagonal only.
__global__ void symmetrize(const float* in, float* out, int width) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        if (y + k < width && x < width) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * width + x];
    __syncthreads();
    x = blockIdx.x * 32 + threadIdx.x;
    y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        if (y + k < width && x < width)
            out[(y + k) * width + x] = in[(y + k) * width + x] + tile[threadIdx.x][threadIdx.y + k];
}
