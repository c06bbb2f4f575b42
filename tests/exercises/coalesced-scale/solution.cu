__global__ void scale(const float* in, float* out, int n) {
    int step = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        out[i] = 2 * in[i] + 1;
}
