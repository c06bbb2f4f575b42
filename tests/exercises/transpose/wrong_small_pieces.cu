// fails: sectors, shared_requests
// Pieces of 8 by 4: nearly full sectors without shared memory.
__global__ void transpose(const float* in, float* out, int rows, int columns) {
    int px = threadIdx.x % 8, py = threadIdx.x / 8;
    for (int p = threadIdx.y; p < 32; p += 8) {
        int x = blockIdx.x * 32 + p % 4 * 8 + px, y = blockIdx.y * 32 + p / 4 * 4 + py;
        if (x < columns && y < rows) out[x * rows + y] = in[y * columns + x];
    }
}
