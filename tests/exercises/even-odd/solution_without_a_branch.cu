__global__ void even_odd(const int* in, int* out, int n, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int odd = i & 1, s = 0;
    for (int k = 0; k < steps; k++) s += (odd ? k : 1) * in[(i + (1 + 2 * odd) * k) % n];
    out[i] = s;
}
