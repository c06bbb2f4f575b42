// fails: sectors
// Every block computes all elements.
__global__ void scale(const float* in, float* out, int n) {
    int step = blockDim.x;
    for (int i = threadIdx.x; i < n; i += step)
        out[i] = 2 * in[i] + 1;
}
