// fails: load_sectors, store_sectors, shared_requests
// Each warp takes pieces of 8 by 4 straight from global memory.
__global__ void symmetrize(const float* in, float* out, int width) {
    int lane = threadIdx.x, px = lane % 8, py = lane / 8;
    for (int p = threadIdx.y; p < 32; p += 8) {
        int x = blockIdx.x * 32 + p % 4 * 8 + px, y = blockIdx.y * 32 + p / 4 * 4 + py;
        if (x < width && y < width) out[y * width + x] = in[y * width + x] + in[x * width + y];
    }
}
