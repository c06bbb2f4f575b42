// The copies of a bin are consecutive words: a lane's histogram has a bank to itself, so lanes never conflict, whatever the values.

__global__ void histogram_interleaved(const int* values, const int* weights, int* bins, int n, int kinds)
{
    __shared__ int sums[64][32];

    int lane = threadIdx.x % 32;
    for (int b = threadIdx.x / 32; b < 64; b += blockDim.x / 32)
        sums[b][lane] = 0;
    __syncthreads();

    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        int b = values[i] % kinds;
        atomicAdd(&sums[b][lane], weights[i]);  // the same lane of other warps adds here, too
    }
    __syncthreads();

    for (int b = threadIdx.x; b < 64; b += blockDim.x) {
        int sum = 0;
        for (int copy = 0; copy < 32; ++copy)
            sum += sums[b][(copy + b) % 32];  // each thread starts in a bank of its own
        bins[b] = sum;
    }
}
