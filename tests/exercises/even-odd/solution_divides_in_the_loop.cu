__global__ void even_odd(const int* in, int* out, int n, int steps) {
    int t = blockIdx.x * blockDim.x + threadIdx.x, evens = (n + 1) / 2;
    bool even = t < evens;
    int i = even ? 2 * t : 2 * (t - evens) + 1;
    if (i >= n) return;
    int s = 0;
    for (int k = 0; k < steps; k++) s += even ? in[(i + k) % n] : k * in[(i + 3 * k) % n];
    out[i] = s;
}
