// fails: correct, races
// All threads of the block count in the same counters.
__global__ void count64(const unsigned char* values, int* counts, int n) {
    __shared__ unsigned char mine[64][64];  // [bin][thread]: a thread counts 64 values at most
    int t = threadIdx.x;
    for (int b = 0; b < 64; ++b)
        mine[b][0] = 0;
    int step = gridDim.x * 64;
    for (int i = blockIdx.x * 64 + t; i < n; i += step)
        ++mine[values[i]][0];
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < 64; ++k)
        sum = mine[t][0];
    atomicAdd(&counts[t], sum);
}
