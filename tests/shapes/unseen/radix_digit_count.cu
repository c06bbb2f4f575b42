// How many keys of a block's part have each 4-bit digit, as a radix sort counts them: each thread counts in columns of its own without atomics, then 16 threads add up.
#define RADIX 16
#define NTHR 64

__global__ void count_digits(const unsigned int *keys, unsigned int *counts, int n, int per_block, int shift)
{
    __shared__ unsigned short own[RADIX][NTHR];
    const int t = threadIdx.x;
    for (int d = 0; d < RADIX; d++) own[d][t] = 0;

    const int begin = blockIdx.x * per_block;
    const int end = min(begin + per_block, n);
    for (int i = begin + t; i < end; i += NTHR)
        own[(keys[i] >> shift) & (RADIX - 1)][t]++;

    __syncthreads();
    if (t < RADIX) {
        unsigned int sum = 0;
        for (int k = 0; k < NTHR; k++) sum += own[t][(k + t) % NTHR];
        counts[t * gridDim.x + blockIdx.x] = sum;
    }
}
