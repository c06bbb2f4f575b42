// Each block has a part of its own of the values.
__global__ void histogram(const unsigned char* values, int* counts, int n, int bins) {
    __shared__ unsigned c[256];
    int part = (n + 127) / 128 / 4 * 128 + 128, from = blockIdx.x * part, to = min(n, from + part);
    for (int b = threadIdx.x; b < bins; b += 128) c[b] = 0;
    __syncthreads();
    for (int i = from + threadIdx.x; i < to; i += 128) atomicAdd_block(c + values[i] % bins, 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += 128) if (c[b] != 0) atomicAdd(counts + b, (int)c[b]);
}
