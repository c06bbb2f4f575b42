// fails: sectors
// Two neighbors of each thread, loaded apart.
__global__ void scale(const float* in, float* out, int n) {
    for (int i = 2 * (blockIdx.x * 128 + threadIdx.x); i < n; i += 1024) {
        out[i] = 2 * in[i] + 1;
        if (i + 1 < n) out[i + 1] = 2 * in[i + 1] + 1;
    }
}
