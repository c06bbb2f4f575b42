// fails: divergent_branches, active_lanes, load_requests
// Even and odd lanes of a warp branch apart.
__global__ void even_odd(const int* in, int* out, int n, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int sum = 0;
    if (i % 2 == 0) {
        for (int k = 0; k < steps; ++k)
            sum += in[(i + k) % n];
    } else {
        for (int k = 0; k < steps; ++k)
            sum += k * in[(i + 3 * k) % n];
    }
    out[i] = sum;
}
