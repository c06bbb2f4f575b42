// fails: sectors
// Each thread has a run of elements of its own.
// Correct, but the threads of a warp access elements that lie far apart.
__global__ void scale(const float* in, float* out, int n) {
    int threads = gridDim.x * blockDim.x;
    int each = (n + threads - 1) / threads;
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
    for (int i = first; i < first + each && i < n; ++i)
        out[i] = 2 * in[i] + 1;
}
