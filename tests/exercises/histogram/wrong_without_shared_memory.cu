// fails: global_atomics, load_sectors, shared_atomics, busiest_warp_loads
// no shared memory: a thread of block 0 per bin reads all values
__global__ void histogram(const unsigned char* values, int* counts, int n, int bins) {
    for (int b = blockIdx.x * 128 + threadIdx.x; b < bins; b += 512) { int c = 0; for (int i = 0; i < n; ++i) c += values[i] % bins == b; counts[b] = c; }
}
