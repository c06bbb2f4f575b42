// fails: correct
// Counters of four bits: a thread may count up to 64.
__global__ void count64(const unsigned char* values, int* counts, int n) {
    __shared__ unsigned char mine[64][64];
    int t = threadIdx.x;
    for (int b = 0; b < 64; ++b) mine[b][t] = 0;
    int step = gridDim.x * 64;
    for (int i = blockIdx.x * 64 + t; i < n; i += step) {
        unsigned char v = values[i];
        if ((mine[v][t] & 15) == 15) mine[v][t] &= ~15; else mine[v][t]++;
    }
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < 64; ++k) sum += mine[t][(t + k) % 64];
    atomicAdd(&counts[t], sum);
}
