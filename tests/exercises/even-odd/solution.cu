__global__ void even_odd(const int* in, int* out, int n, int steps) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int evens = (n + 1) / 2;
    if (thread >= n) return;
    int i = thread < evens ? 2 * thread : 2 * (thread - evens) + 1;
    int sum = 0;
    if (thread < evens) {
        for (int k = 0; k < steps; ++k)
            sum += in[(i + k) % n];
    } else {
        for (int k = 0; k < steps; ++k)
            sum += k * in[(i + 3 * k) % n];
    }
    out[i] = sum;
}
