// fails: correct
// The half of a block, which is right only where n is a multiple of the block.
__global__ void even_odd(const int* in, int* out, int n, int steps) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int evens = blockIdx.x * 128 + 64;
    if (thread >= n || 2 * (thread % 64) + blockIdx.x * 128 + 1 > n + 1) return;
    int i = thread < evens ? 2 * thread - blockIdx.x * 128 : 2 * (thread - evens) + blockIdx.x * 128 + 1;
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
