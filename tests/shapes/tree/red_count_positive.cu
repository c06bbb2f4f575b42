// How many values of each block are above a threshold; the block is no power of two.
__global__ void countAbove(const float *vals, float threshold, int *counts, int n)
{
    __shared__ int sh[96];
    int t = threadIdx.x;
    int i = blockIdx.x * 96 + t;
    sh[t] = (i < n && vals[i] > threshold) ? 1 : 0;
    int active = 96;
    while (active > 1) {
        __syncthreads();
        int half = (active + 1) / 2;
        if (t < active - half)
            sh[t] += sh[t + half];
        active = half;
    }
    if (t == 0)
        counts[blockIdx.x] = sh[0];
}
