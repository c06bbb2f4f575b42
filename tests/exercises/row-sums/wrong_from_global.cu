// fails: load_sectors, shared_bytes, shared_requests
// Each thread reads its row from global memory.
__global__ void row_sums(const int* in, int* out, int rows) {
    int row = blockIdx.x * 32 + threadIdx.x;
    if (threadIdx.y > 0 || row >= rows) return;
    int sum = 0;
    for (int k = 0; k < 32; ++k)
        sum += in[row * 32 + k];
    out[row] = sum;
}
