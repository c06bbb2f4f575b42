// fails: global_atomics, busiest_warp_loads
// One block counts all values, and stores instead of adding.
__global__ void histogram(const unsigned char* values, int* counts, int n, int bins) {
    __shared__ int c[256];
    if (blockIdx.x) return;
    for (int b = threadIdx.x; b < bins; b += 128) c[b] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += 128) atomicAdd(&c[values[i] % bins], 1);
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += 128) counts[b] = c[b];
}
