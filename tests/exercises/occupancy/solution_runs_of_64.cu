// A thread takes 64 values that follow each other.
template <typename Counter> __device__ void clear(Counter (*c)[64], int t) { for (int b = 63; b >= 0; --b) c[b][t] = 0; }
__global__ void count64(const unsigned char* values, int* counts, int n) {
    __shared__ unsigned char c[64][64];
    int t = threadIdx.x, first = (blockIdx.x * 64 + t) * 64;
    clear(c, t);
    for (int i = first; i < min(n, first + 64); ++i) c[values[i]][t] += 1;
    __syncthreads();
    unsigned s = 0;
    for (int k = 0; k < 64; ++k) s += c[t][k];
    if (s) atomicAdd((unsigned*)&counts[t], s);
}
