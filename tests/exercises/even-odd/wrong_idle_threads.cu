// fails: divergent_branches, active_lanes, load_requests
// Every other thread of the first part has nothing to do.
__global__ void even_odd(const int* in, int* out, int n, int steps) {
    for (int thread = blockIdx.x * blockDim.x + threadIdx.x, once = 1; once && thread % 2 == 0 && thread < n; once = 0)
    for (int twice = 0; twice < 2 && thread + twice < n; ++twice) {
    int i = thread + twice;
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
}
