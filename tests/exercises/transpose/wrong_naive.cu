// fails: sectors, shared_requests
// Stores run down a column.
// Correct, but neighboring threads store a whole row apart.
__global__ void transpose(const float* in, float* out, int rows, int columns) {
    int x = blockIdx.x * 32 + threadIdx.x;
    for (int k = 0; k < 32; k += 8) {
        int y = blockIdx.y * 32 + threadIdx.y + k;
        if (x < columns && y < rows) out[x * rows + y] = in[y * columns + x];
    }
}
