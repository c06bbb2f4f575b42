// Of each 64 elements one warp has the even ones and the next the odd ones.
__global__ void even_odd(const int* in, int* out, int n, int steps) {
    int t = blockIdx.x * 128 + threadIdx.x, warp = t / 32, lane = t % 32, odd = warp % 2;
    int i = warp / 2 * 64 + 2 * lane + odd, s = 0;
    if (i >= n) return;
    if (odd) for (int k = 1; k < steps; ++k) s += k * in[(i + 3 * k) % n];
    else for (int k = 0; k < steps; ++k) s += in[(i + k) % n];
    out[i] = s;
}
