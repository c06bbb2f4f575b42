// fails: correct, races
// Adds the counters of threads that are still counting.
__global__ void count64(const unsigned char* values, int* counts, int n) {
    __shared__ unsigned char mine[64][64];  // [bin][thread]: a thread counts 64 values at most
    int t = threadIdx.x;
    for (int b = 0; b < 64; ++b)
        mine[b][t] = 0;
    int step = gridDim.x * 64;
    for (int i = blockIdx.x * 64 + t; i < n; i += step)
        ++mine[values[i]][t];
    int sum = 0;
    for (int k = 0; k < 64; ++k)
        sum += mine[t][(t + k) % 64];
    atomicAdd(&counts[t], sum);
}
