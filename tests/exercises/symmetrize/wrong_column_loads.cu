// fails: load_sectors, shared_requests
// The second load runs down a column.
// Correct, but the second load runs down a column.
__global__ void symmetrize(const float* in, float* out, int width) {
    int x = blockIdx.x * 32 + threadIdx.x;
    for (int k = 0; k < 32; k += 8) {
        int y = blockIdx.y * 32 + threadIdx.y + k;
        if (x < width && y < width) out[y * width + x] = in[y * width + x] + in[x * width + y];
    }
}
