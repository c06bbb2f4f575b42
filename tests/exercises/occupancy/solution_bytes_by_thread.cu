__global__ void count64(const unsigned char* values, int* counts, int n) {
    __shared__ unsigned char c[64][64];
    int t = threadIdx.x;
    for (int b = 0; b < 64; ++b) c[t][b] = 0;
    for (int i = blockIdx.x * 64 + t; i < n; i += 256) c[t][values[i]]++;
    __syncthreads();
    int s = 0;
    for (int k = 0; k < 64; ++k) s += c[k][t];
    if (s) atomicAdd(counts + t, s);
}
