// Work-efficient scan that forgets to clear the root between its two sweeps.
__global__ void exclusiveScan(float *in, float *out)
{
    __shared__ float s[32];
    int tid = threadIdx.x;
    int g = blockIdx.x * 32;
    s[tid] = in[g + tid];
    s[tid + 16] = in[g + tid + 16];
    int step = 1;
    for (; step < 32; step *= 2) {
        __syncthreads();
        int k = (tid + 1) * step * 2 - 1;
        if (k < 32) s[k] += s[k - step];
    }
    for (step = 16; step > 0; step /= 2) {
        __syncthreads();
        int k = (tid + 1) * step * 2 - 1;
        if (k < 32) {
            float left = s[k - step];
            s[k - step] = s[k];
            s[k] += left;
        }
    }
    __syncthreads();
    out[g + tid] = s[tid];
    out[g + tid + 16] = s[tid + 16];
}
