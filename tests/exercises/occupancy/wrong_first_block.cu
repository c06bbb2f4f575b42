// fails: correct, global_atomics, load_requests
// The first block counts all values: at most 128 a thread, which a byte can hold.
__global__ void count64(const unsigned char* values, int* counts, int n) {
    __shared__ unsigned char c[64][64];
    if (blockIdx.x) return;
    int t = threadIdx.x, s = 0;
    for (int b = 0; b < 64; ++b) c[b][t] = 0;
    for (int i = t; i < n; i += 64) c[values[i]][t]++;
    __syncthreads();
    for (int k = 0; k < 64; ++k) s += c[t][(t + k) & 63];
    counts[t] += s;
}
