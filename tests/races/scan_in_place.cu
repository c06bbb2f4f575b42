// Hillis and Steele's scan in one array: reads and writes of a step are not kept apart, as GPU Gems 3,
// chapter 39, warns. Launch: <<<1, 128>>>.
__global__ void scan_in_place(const int* in, int* out) {
    __shared__ int sums[128];
    sums[threadIdx.x] = in[threadIdx.x];
    for (int distance = 1; distance < blockDim.x; distance *= 2) {
        __syncthreads();
        if (threadIdx.x >= distance) sums[threadIdx.x] += sums[threadIdx.x - distance];
    }
    __syncthreads();
    out[threadIdx.x] = sums[threadIdx.x];
}
