// WRONG on purpose: global_atomics.cu without the atomic. Reading, adding and writing are three steps; where two threads
// read the same count, one of their additions is lost.

__global__ void histogram_no_atomics(const unsigned char* values, int* counts, int n, int bins)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        counts[values[i] % bins] += 1;
}
