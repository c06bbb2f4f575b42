// fails: load_sectors, store_sectors
// A tile that no one needs; the mirrored element comes from global memory in pieces of 8 by 4.
__global__ void symmetrize(const float* in, float* out, int width) {
    __shared__ float tile[32][33];
    int px = threadIdx.x % 8, py = threadIdx.x / 8;
    tile[threadIdx.y][threadIdx.x] = 0;
    __syncthreads();
    for (int p = threadIdx.y; p < 32; p += 8) {
        int x = blockIdx.x * 32 + p % 4 * 8 + px, y = blockIdx.y * 32 + p / 4 * 4 + py;
        if (x < width && y < width) out[y * width + x] = in[y * width + x] + in[x * width + y] + tile[threadIdx.y][0];
    }
}
