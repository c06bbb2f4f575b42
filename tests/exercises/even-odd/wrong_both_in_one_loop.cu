// fails: load_requests
// Both sums in one loop, the wrong one thrown away.
__global__ void even_odd(const int* in, int* out, int n, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int of[2] = {0, 0};
    for (int k = 0; k < steps; ++k) { of[0] += in[(i + k) % n]; of[1] += k * in[(i + 3 * k) % n]; }
    int odd = i % 2;
    out[i] = of[0] * (1 - odd) + of[1] * odd;
}
