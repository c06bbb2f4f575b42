// fails: correct, races, load_sectors, store_sectors
// Works for multiples of 32 only.
__global__ void symmetrize(const float* in, float* out, int width) {
    __shared__ float tile[32][33];
    int x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;  // the mirrored tile
    for (int k = 0; k < 32; k += 8)
        tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * width + x];
    __syncthreads();
    x = blockIdx.x * 32 + threadIdx.x;
    y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
            out[(y + k) * width + x] = in[(y + k) * width + x] + tile[threadIdx.x][threadIdx.y + k];
}
