// fails: global_atomics, busiest_warp_loads
// One block counts all values.
__global__ void histogram(const unsigned char* values, int* counts, int n, int bins) {
    __shared__ int c[256];
    for (int b = threadIdx.x; b < bins; b += 128) c[b] = 0;
    __syncthreads();
    if (blockIdx.x == 2) for (int i = threadIdx.x; i < n; i += 128) atomicAdd(&c[values[i] % bins], 1);
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += 128) if (c[b]) atomicAdd(&counts[b], c[b]);
}
