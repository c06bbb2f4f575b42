// fails: load_requests
// Every thread goes through both loops.
__device__ int plain(const int* in, int i, int n, int steps) { int s = 0; for (int k = 0; k < steps; ++k) s += in[(i + k) % n]; return s; }
__device__ int weighted(const int* in, int i, int n, int steps) { int s = 0; for (int k = 1; k < steps; ++k) s += k * in[(i + 3 * k) % n]; return s; }
__global__ void even_odd(const int* in, int* out, int n, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int a = plain(in, i, n, steps), b = weighted(in, i, n, steps);
    out[i] = i & 1 ? b : a;
}
