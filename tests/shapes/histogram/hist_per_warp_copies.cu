// Histogram with one copy of the bins for each warp of the block.
#define WARPS 3
#define BINS 16

__global__ void hist_warp_private(const unsigned* d, unsigned* out, int n)
{
    __shared__ unsigned h[WARPS][BINS];
    unsigned* mine = h[threadIdx.x >> 5];
    for (int b = threadIdx.x & 31; b < BINS; b += 32) mine[b] = 0;
    __syncwarp();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&mine[d[i] & (BINS - 1)], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += blockDim.x) {
        unsigned sum = 0;
        for (int w = 0; w < WARPS; ++w) sum += h[w][b];
        atomicAdd(&out[b], sum);
    }
}
