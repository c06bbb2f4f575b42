__global__ void histogram(const unsigned char* values, int* counts, int n, int bins) {
    extern __shared__ int dyn[];
    __shared__ int c[256];
    for (int b = threadIdx.x; b < bins; b += blockDim.x) c[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += 512) {
        int b = values[i] % bins;
        unsigned m = __match_any_sync(__activemask(), b);
        if (__ffs(m) - 1 == threadIdx.x % 32) atomicAdd(&c[b], __popc(m));
    }
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += blockDim.x) atomicAdd(&counts[b], c[b]);
}
