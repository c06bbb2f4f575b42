// fails: load_sectors, shared_requests
// Loads every element three times.
__global__ void stencil(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int left = i > 0 ? in[i - 1] : 0;
    int right = i < n - 1 ? in[i + 1] : 0;
    out[i] = left + in[i] + right;
}
