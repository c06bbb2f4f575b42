// fails: shared_requests, load_requests
// Each thread counts its bin in a register and reads the values of the block; the counters are for show.
__global__ void count64(const unsigned char* values, int* counts, int n) {
    __shared__ unsigned char show[64][64];
    int t = threadIdx.x, s = 0;
    for (int b = 0; b < 64; ++b) show[b][t] = 0;
    __syncthreads();
    for (int i = blockIdx.x; i < n; i += 4) s += values[i] == t;
    atomicAdd(&counts[t], s + show[t][63 - t]);
}
