__global__ void histogram(const unsigned char* values, int* counts, int n, int bins) {
    __shared__ int own[4][256];
    int w = threadIdx.x / 32;
    for (int b = threadIdx.x; b < 1024; b += 128) (&own[0][0])[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += 512) atomicAdd(&own[w][values[i] % bins], 1);
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += 128) {
        int s = own[0][b] + own[1][b] + own[2][b] + own[3][b];
        if (s) atomicAdd(&counts[b], s);
    }
}
